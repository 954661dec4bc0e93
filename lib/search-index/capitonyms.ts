/**
 * Words that are one thing with a capital and another without: nations and languages, places, months, names, brands and
 * programs. Their case is kept even where a sentence starts. A word that is missing here costs at worst that two facts
 * are taken for one which differ in the case of their first word alone.
 */
export const CAPITONYMS: ReadonlySet<string> = new Set(
  // Nations, languages, beliefs.
  (
    'polish pole turkey china japan chile guinea jersey hungary danish finn swede welsh scotch moor lapp manx ' +
    'slav catholic protestant orthodox mass lent scripture god earth moon sun mars mercury titan cancer gemini ' +
    'celtic roman greek french dutch swiss brazil panama cuba togo mali niger chad oman jordan georgia ' +
    // Places.
    'reading nice bath mobile cork lima derby slough sandwich deal wells battle rugby ham lancaster buffalo ' +
    'phoenix orlando dover boulder aurora eden troy bergen essen hull bari cologne lens metz champagne bordeaux ' +
    'cheddar berkeley providence reno paris victoria regina wellington hamilton ' +
    // Months and the rest of the calendar.
    'march may august april june summer autumn winter spring easter sunday monday friday ' +
    // First names.
    'will bill mark rose grace jack frank drew dawn faith hope joy ivy lily daisy iris jade pearl ruby amber ' +
    'crystal sandy rusty rich chase chuck cliff dean don earl gene glen grant guy hunter josh lance miles nick ' +
    'norm ray reed rod stew wade warren woody pat sue rob bob max sky skye star storm gale heath heather hazel ' +
    'holly olive basil rosemary ginger cherry berry violet charity patience prudence constance harmony melody ' +
    'carol eve erin dick buck bud herb job jim mike ted victor wit ken sally penny peg dot bea bay ash rowan ' +
    'robin jay martin otter wren duke prince baron noble junior trinity justice archer curt ernest christian ' +
    'colin ' +
    // Surnames.
    'baker cook smith fisher mason taylor carter cooper turner walker parker page young brown black white green ' +
    'gray grey king knight bishop price stone wood woods hill bush rice bacon rivers brooks park lake ford wise ' +
    'sharp swift love cross church temple butler porter potter shepherd hawking marsh moss hood ' +
    // Companies and their products.
    'apple amazon meta alphabet oracle sage target gap visa orange shell square stripe slack notion linear zoom ' +
    'teams word excel outlook windows chrome safari signal telegram discord twitch medium steam unity unreal ' +
    'uber bolt lime bird virgin sprint cricket subway mini saturn galaxy pixel nest ring echo alexa siri cortana ' +
    'bard claude llama mistral cursor copilot economist guardian mirror mint gates canon brother electric ' +
    'caterpillar deere dove tide crest cheer ivory puma jaguar fox lotus mustang explorer fiesta sonata polo ' +
    'golf beetle civic accord leaf ' +
    // Programming languages, tools and systems.
    'go rust python java perl basic ada pascal scheme lisp dart julia elm nim zig haskell scala groovy bash fish ' +
    'bazel gradle maven ant puppet chef salt vault consul nomad packer terraform vagrant docker helm flux argo ' +
    'istio envoy kong traefik nginx apache tomcat jetty express react angular next nuxt node deno bun vue svelte ' +
    'ember backbone rails django flask tornado pyramid airflow luigi dagster kafka pulsar rabbit redis mongo ' +
    'postgres maria spark flink hive pig impala presto druid pinot elastic sentry datadog grafana prometheus ' +
    'loki tempo jaeger zipkin jenkins travis buildkite drone git mercurial subversion jira confluence trello ' +
    'asana basecamp arch fedora debian ubuntu slackware gnome wayland emacs atom sublime eclipse oxygen blender ' +
    'audacity'
  ).split(' '),
);

/** How a server and its model are called in errors. */
export interface ServerLabel {
  /** Such as `The language model gpt-4.1 at https://api.openai.com/v1`. */
  readonly name: string;
  /** What the settings that concern it start with, such as `aimon.memory.llm`. */
  readonly settings: string;
}

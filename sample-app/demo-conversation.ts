/** What is said in a session of the demo, one message after another. */
export interface DemoSession {
  readonly id: string;
  readonly messages: readonly string[];
}

export const FIRST_SESSION: DemoSession = {
  id: 'monday',
  messages: [
    'Hi! I run operations for the payments team. We deploy on Tuesdays at 14:00 KST, never on Fridays.',
    '어젯밤에 결제 서버를 재시작했습니다. 커넥션 풀이 고갈된 것이 원인이었어요.',
    'The staging database moved to db-stg-02:5432. The password is Winter!Harbour-4471, it changes every quarter.',
    'Please keep answers short, with commands that I can paste.',
  ],
};

export const SECOND_SESSION: DemoSession = {
  id: 'tuesday',
  messages: ['결제 서버를 왜 재시작했죠?', 'Which day is deploy day?'],
};

/** What the demo looks up. */
export const DEMO_QUERY = '서버 재시작';

/** What is asked of the memory itself, where it answers in words. */
export const DEMO_QUESTION = 'Which day is deploy day?';

/** Sent on these days of a subscriber, or up to six days later. Operators turn them on. */
export const sequenceTexts = [
  {
    day: 1,
    content:
      'Welcome, {{first_name}}. You do not have to change everything. One small, kind thing that you finish is enough to begin.',
  },
  {
    day: 7,
    content:
      'About a week of small starts, {{first_name}}. Some stuck and some did not, and both count. Keep the one that felt lightest.',
  },
  {
    day: 30,
    content:
      'A month or so ago this was new, {{first_name}}. Look back: something you once had to push now moves by itself.',
  },
  {
    day: 100,
    content:
      'A hundred days, {{first_name}}, give or take. That is no longer luck or a good mood. That is you, showing up.',
  },
] as const;

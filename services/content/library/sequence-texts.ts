/** Sent on these days, counted from the first text, or up to six days later. Operators turn them on. */
export const sequenceTexts = [
  {
    day: 1,
    content:
      'Welcome, {{first_name}}. You do not have to change everything. One small, kind thing you finish today is enough to begin.',
  },
  {
    day: 7,
    content:
      'About a week of small starts, {{first_name}}. Some stuck and some did not, and both count. Keep the one that felt lightest.',
  },
  {
    day: 30,
    content:
      'About a month ago this was new, {{first_name}}. Look back: something you once had to push now moves on its own.',
  },
  {
    day: 100,
    content:
      'A hundred days, {{first_name}}, give or take. That is not luck or a good mood. That is you, showing up.',
  },
] as const;

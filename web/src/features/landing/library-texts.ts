/** Texts of the library that ships with the product, shown as examples. */
export const sceneTexts = [
  'Slow is a speed. Keep it, and you will pass many who are still deciding how fast to go.',
  'Before you look at the list, look out the window. Two slow breaths. Then choose the one thing that matters.',
  'Once is an event. Twice is a choice. Again and again is who you become. Today is one of the agains.',
] as const;

export const threadTexts = [
  'You do not have to finish it today. You only have to start it, and starting can be as small as opening the door.',
  'When nothing seems to grow, roots often do. Keep watering what you care about.',
  'You are allowed to be a work in progress and enough, both on the same day.',
] as const;

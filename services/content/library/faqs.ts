/** {{product_name}} and {{support_email}} are replaced when read. */
export const libraryFaqs: readonly { question: string; answer: string }[] = [
  {
    question: 'How do I stop the texts?',
    answer:
      'Reply STOP to any of our texts. You get one confirmation and nothing after it. Your subscription then ends when the paid period does, and a free trial ends without a charge. We email you the date.',
  },
  {
    question: 'I replied STOP by mistake. How do I get the texts back?',
    answer:
      "Text START to the same number. If your subscription has not ended yet, it also renews again as before. For legal reasons we can't do this for you: it has to come from your own phone.",
  },
  {
    question: 'When does my text come?',
    answer:
      'At the hour you chose, on your own clock, starting the day after you sign up. We follow your time zone in and out of daylight saving time, so the hour on your phone stays the same.',
  },
  {
    question: 'How do I change the hour, or get texts once a week?',
    answer:
      'On your dashboard under Settings, or by text: reply for example 7AM, DAILY or WEEKLY. It applies from your next text.',
  },
  {
    question: 'I am moving or traveling. Do I have to do anything?',
    answer:
      'Choose your new time zone on the dashboard under Settings. Until then your texts come at your chosen hour in the old time zone. You never get two texts for the same day.',
  },
  {
    question: 'What does it cost, and when am I charged?',
    answer:
      'Your plan and price are shown on the signup page and on your dashboard. The free trial costs nothing; about a day before it ends we email you the date and the amount. After that your card is charged at the start of each month or year.',
  },
  {
    question: 'How do I cancel?',
    answer:
      'On your dashboard, in as many clicks as signing up. You keep getting texts until the end of the paid period, and you can change your mind until then.',
  },
  {
    question: 'Can I take a break?',
    answer:
      'Yes. Switch delivery off on your dashboard, or reply PAUSE 7 for seven days without texts; RESUME brings them back. Your subscription continues in the meantime.',
  },
  {
    question: 'A text did not arrive. What now?',
    answer:
      'Check on your dashboard that delivery is enabled and the number is right. We skip a text rather than send it more than three hours late, or late between 9 PM and 8 AM. If it happens again, write to {{support_email}}.',
  },
  {
    question: 'Who sees my number?',
    answer:
      '{{product_name}} uses it to send you texts, and the carrier needs it to deliver them. It is never sold or given to advertisers. You can download your data or delete your account; write to {{support_email}} if you need help.',
  },
];

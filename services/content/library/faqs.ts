/** {{product_name}} and {{support_email}} are replaced when read. */
export const libraryFaqs: readonly { question: string; answer: string }[] = [
  {
    question: 'How do I stop the texts?',
    answer:
      "Reply STOP to any of our texts. You'll get one confirmation and nothing after that. Your subscription then ends with the paid period, and a free trial ends without a charge. We'll email you the date.",
  },
  {
    question: 'I replied STOP by mistake. How do I get the texts back?',
    answer:
      "Text START to the same number. If your subscription hasn't ended yet, it will renew as before. For legal reasons, we can't do this for you: the text has to come from your phone.",
  },
  {
    question: 'When does my text come?',
    answer:
      'At the hour you chose, in your own time zone, starting the day after you sign up. We adjust for daylight saving time, so the hour on your phone stays the same.',
  },
  {
    question: 'How do I change the hour, or get texts once a week?',
    answer:
      'Open Settings on your dashboard, or reply to one of our texts with an hour such as 7AM, or with DAILY or WEEKLY. The change applies to your next text.',
  },
  {
    question: "I'm moving or traveling. Do I have to do anything?",
    answer:
      "Choose your new time zone in Settings on your dashboard. Until then, your texts come at your chosen hour in the old time zone. You'll never get two texts for the same day.",
  },
  {
    question: 'What does it cost, and when am I charged?',
    answer:
      "The signup page and your dashboard show your plan and its price. The free trial costs nothing. About a day before it ends, we'll email you the date and the amount. After that, your card is charged at the start of each month or year.",
  },
  {
    question: 'How do I cancel?',
    answer:
      "On the Plan tab of your dashboard. It takes no more clicks than signing up. You'll keep getting texts until the end of the paid period, and you can change your mind until then.",
  },
  {
    question: 'Can I take a break?',
    answer:
      'Yes. Pause your texts in Settings on your dashboard, or reply PAUSE 7 for seven days without texts. RESUME brings them back sooner. Your subscription continues in the meantime.',
  },
  {
    question: "A text didn't arrive. What should I do?",
    answer:
      "Check on your dashboard that SMS delivery is enabled and your number is right. If we can't send a text on time, we skip it rather than send it more than three hours late or wake you up between 9 PM and 8 AM. If it happens again, email {{support_email}}.",
  },
  {
    question: 'Who sees my number?',
    answer:
      '{{product_name}} uses it to send you texts, and the carrier needs it to deliver them. We never sell it or give it to advertisers. You can download your data or delete your account on your dashboard. If you need help, email {{support_email}}.',
  },
];

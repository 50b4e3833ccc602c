export interface LibraryMessage {
  /** Permanent: the id derives from it. */
  title: string;
  /** One text of at most 160 GSM-7 characters, even with a 20-character name for {{first_name}}. */
  content: string;
}

/**
 * Sent on days without a scheduled message: our own words, or public-domain quotations with their author. Subscribers
 * choose any hour, so no text mentions the time of day. American spelling. A migration stores these; an added message
 * needs its own migration.
 */
export const libraryMessages: readonly LibraryMessage[] = [
  // Beginnings
  m(
    'Small start',
    'You do not have to finish it today. You only have to start it, and starting can be as small as opening the door.',
  ),
  m(
    'First ten minutes',
    'Give the hard thing ten honest minutes. After that you may stop. You probably will not want to.',
  ),
  m(
    'Step in gently',
    'Hello, {{first_name}}. Nothing about the next hour has gone wrong yet. Step in gently and see what it offers.',
  ),
  m(
    'Blank page',
    'A new day does not ask what you did with the last one. It just holds out a blank page and waits.',
  ),
  m(
    'One line',
    'If the whole plan feels too heavy, carry one line of it. The rest can wait where you left it.',
  ),
  m(
    'Begin badly',
    "Let the first attempt be clumsy. Nearly everything good you own began as somebody's rough draft.",
  ),
  m(
    'Before the list',
    'Before you look at the list, look out the window. Two slow breaths. Then choose the one thing that matters.',
  ),
  m(
    'Enough ready',
    'You will not feel ready. Most people who did it did not either. They were only ready enough.',
  ),
  m(
    'Open the window',
    'Open a window, straighten your back, name one thing you want next. That is already a beginning.',
  ),
  m(
    'Where you stand',
    'You can only start from where you stand. The good news: every road there is begins exactly here.',
  ),
  m(
    'Waiting room',
    'Someday is a comfortable waiting room. The doors to the rest of the house are open, too.',
  ),

  // Steadiness
  m(
    'Quiet effort',
    'The quiet work counts too: the page nobody saw, the walk in the rain, the message you answered kindly.',
  ),
  m(
    'Slow is fine',
    'Slow is a speed. Keep it, and you will pass many who are still deciding how fast to go.',
  ),
  m(
    'Show up',
    'Some days you bring your best, and some days you just bring yourself. Both count as showing up.',
  ),
  m(
    'Again',
    'Once is an event. Twice is a choice. Again and again is who you become. Today is one of the agains.',
  ),
  m(
    'The middle',
    'The middle is where it feels longest. You are not stuck, {{first_name}}. You are in the middle.',
  ),
  m('Roots', 'When nothing seems to grow, roots often do. Keep watering what you care about.'),
  m(
    'Water and stone',
    'Water does not argue with the stone. It comes back tomorrow, and the day after, and the stone learns.',
  ),
  m(
    'Keep the appointment',
    'You keep your appointments with everybody else. Keep the one you made with yourself as well.',
  ),
  m(
    'Boring days',
    'Great things are mostly made of ordinary days when somebody kept going. This could be one of them.',
  ),
  m(
    'Half a step',
    'A half step in the right direction beats any amount of standing and wondering. Take yours now.',
  ),
  m(
    'Not every day',
    'You do not need to win today. You need to stay in the game and be kind to the player.',
  ),
  m(
    'One brick',
    'Nobody lays a wall. People lay a brick, well, and then the next. Which brick is yours?',
  ),
  m(
    'Handfuls',
    'Nobody lives a whole life at once. It comes in handfuls, {{first_name}}, and you are holding one.',
  ),

  // Kindness to oneself
  m(
    'Talk kindly',
    'Speak to yourself as you would to a good friend on a hard day. You know exactly how that sounds.',
  ),
  m(
    'Rest counts',
    'Rest is not a reward for finishing. It is part of how anything gets finished. Plan some of it soon.',
  ),
  m('Enough', 'You are allowed to be a work in progress and enough, both on the same day.'),
  m(
    'Put one thing down',
    'Whatever you are carrying, {{first_name}}, put one piece of it down for an hour. It will still be there, and you will be lighter.',
  ),
  m(
    'Not a machine',
    'Machines run the same every day. You are not one. Adjust the plan to the person you are right now.',
  ),
  m(
    'Forgive yesterday',
    'Yesterday did what it could. Thank it, forgive it, and close the door softly behind you.',
  ),
  m(
    'Gentle no',
    'A clear and gentle no can be the kindest thing you do for yourself this week. Somebody needs that yes elsewhere.',
  ),
  m(
    'Your own pace',
    'Someone is always ahead and someone is always behind. Look at your own path and find your own pace again.',
  ),
  m(
    'Small comforts',
    'Make the next cup of tea properly. Sit down for it. Small comforts are how we tell ourselves we matter.',
  ),
  m(
    'Unclench',
    'Check your shoulders. Your jaw. Your hands. Let them go. You can carry all this without holding on so tight.',
  ),
  m(
    'Bad mood permit',
    'You may have a bad mood and still have a good day. They are often seen together.',
  ),
  m(
    'Repair',
    'Everything that is used needs mending now and then. Give yourself a few hours of repair without any guilt.',
  ),
  m(
    'Small mistakes',
    'Mistakes do not pile up as high as you fear. Most of them only you remember.',
  ),

  // Courage
  m(
    'Brave and small',
    'Courage is rarely loud. Often it is a small voice that says: I will ask, and see what happens.',
  ),
  m(
    'Ask',
    'Ask the question you have been turning over for days. The answer is easier to carry than the wondering.',
  ),
  m(
    'The phone call',
    'There is a call you have been putting off. It will take five minutes. You have been paying for it all week.',
  ),
  m(
    'Afraid and doing',
    'Being afraid and doing it anyway are not opposites. They usually arrive on the same bus.',
  ),
  m(
    'Say it simply',
    'Say what you mean, simply and warmly. Most people are relieved when somebody does.',
  ),
  m(
    'Wrong turns',
    'A wrong turn still shows you the country. Note what you saw and take the next road.',
  ),
  m(
    'Try once more',
    'Before you give it up for good, try it once in a different way. Then decide, and be at peace with it.',
  ),
  m(
    'Room for you',
    'You do not have to be louder to take up your place. You only have to stop handing it away.',
  ),
  m('First no', 'The first no is often just a door that opens the other way. Try pulling.'),
  m(
    'Honest beginner',
    'There is freedom in saying: I am new at this. Nobody expects a beginner to be perfect, only curious.',
  ),
  m(
    'Room to grow',
    'There is more room in you than your habits have rented out. Show one new thought around.',
  ),
  m(
    'The unknown street',
    'Not every adventure needs a suitcase. Some need one unknown street and shoes you like.',
  ),

  // Attention
  m(
    'Look up',
    'Look up once when you are next outside. Somebody took trouble over those roofs, and no sky comes twice.',
  ),
  m(
    'One thing at a time',
    'Try one thing at a time, just for an hour. It feels slow at first and turns out to be quick.',
  ),
  m(
    'Listen first',
    'Listen to one person until they are really finished. It is a rare gift and costs nothing.',
  ),
  m(
    'Phone in a drawer',
    'Leave the phone in a drawer for one hour, {{first_name}}. The world will go on, and you will hear yourself think.',
  ),
  m(
    'Notice three',
    'Notice three things around you that you did not have to earn: a smell, a color, a kindness.',
  ),
  m(
    'This very cup',
    'You will drink many cups in your life, but the next one only once. Taste it.',
  ),
  m(
    'Weather',
    'Moods are weather. You are the landscape. Let this one pass over and see what is still standing.',
  ),
  m(
    'Ordinary light',
    'Once a day the light turns soft and makes everything look forgiven. Be there for it when you can.',
  ),
  m(
    'Half an hour',
    'Between the things you must do there is half an hour that belongs to nobody. Find it and keep it for yourself.',
  ),
  m(
    'Walk it',
    'If you cannot think it through, walk it through. Ten minutes and a corner you have not turned before.',
  ),
  m(
    'Puddles',
    'Puddles hold the sky as well as lakes do. Small places are enough for something large.',
  ),

  // Others
  m('Good word', 'Tell somebody what they do well. Be exact. They may remember it for years.'),
  m(
    'Old friend',
    'Write two lines to someone you have not heard from in a while. No reason needed. That is the reason.',
  ),
  m(
    'Thank you note',
    'Who made your week easier without noticing? Let them notice. A thank-you takes one minute.',
  ),
  m(
    'Kind guess',
    'When someone is short with you, guess a kind reason. You will be right more often than you think.',
  ),
  m(
    'Leave it better',
    'Leave one place a little better than you found it: a table, a street, a conversation.',
  ),
  m(
    'Share the load',
    'Asking for help gives somebody the chance to be good at something. Let them.',
  ),
  m('Be the calm one', 'In every tense room one person breathes first. That can be you.'),
  m(
    'Hold the door',
    'Hold a door, let a car in, wait the extra second. The day gets kinder from the edges inward.',
  ),
  m(
    'You are missed',
    'Somewhere somebody still smiles at something you once said, {{first_name}}. You leave more light than you see.',
  ),
  m(
    'Apologize early',
    'A short honest sorry, said early, saves a long silence. If you owe one, now is a good time.',
  ),
  m(
    'Ask how',
    'Ask someone how they are, and then wait for the second answer. It is usually the true one.',
  ),

  // Hard days
  m(
    'Hard days',
    'If this is a hard day: a shower, something warm, one small task. The rest may come to you.',
  ),
  m(
    'Still here',
    'You have come through every one of your worst days so far. Today has met its match.',
  ),
  m('Ten percent', 'On a ten percent day, giving ten percent is giving all of it. That is enough.'),
  m(
    'It moves',
    'Nothing stays exactly as it feels at its worst. Give this one a day and look again.',
  ),
  m(
    'Call someone',
    'If it is heavy today, {{first_name}}, do not carry it alone. One honest sentence to one good person is a start.',
  ),
  m('Not the whole story', 'This is a page, not the book. You are allowed to turn it slowly.'),
  m(
    'Let it be hard',
    'Some things are simply hard, and that is no fault of yours. Do the next kind thing.',
  ),
  m(
    'Storm rules',
    'In a storm you do not build the ship. You keep it upright. Upright is plenty for today.',
  ),
  m('Tiny list', 'Make a list so short that it makes you laugh. Do it. You have had a good day.'),
  m(
    'Tidy sink',
    'Some days the victory is a tidy sink and one thing laid out for tomorrow. Take it.',
  ),
  m(
    'One more place',
    'Hope does not have to be loud. Setting one more place at the table is hope as well.',
  ),

  // Work and making
  m(
    'Ship it',
    'Done and a bit crooked helps more people than perfect and still in the drawer. Let something out.',
  ),
  m(
    'Hard part first',
    'Do the part you are avoiding first, while you still have the strength to frown at it. The rest is downhill.',
  ),
  m(
    'Make it smaller',
    'Stuck? Make it smaller. Still stuck? Smaller again. Somewhere down there is a piece you can do now.',
  ),
  m('Sharpen', 'An hour spent sharpening is not lost cutting time. What could you sharpen next?'),
  m(
    'Play a little',
    'Do one thing badly and with pleasure. Sing, draw, dance. Skill is optional; joy is the point.',
  ),
  m(
    'Leave a mark',
    'Whenever you stop, leave yourself a note where to begin. The you who comes back will be grateful.',
  ),
  m(
    'Curious',
    'Swap "I have to" for "I wonder what happens if". The task is the same. The hour is not.',
  ),
  m(
    'Two questions',
    'Two good questions for any plan: what would make it worth it, and what can I leave out?',
  ),
  m(
    'Craft',
    'Take a little more care than anyone asked for, in one thing only. That is how pride quietly grows.',
  ),
  m(
    'Finish line',
    'Pick something that is nearly done and finish it, {{first_name}}. The relief will carry you into the next one.',
  ),
  m(
    'Who, then what',
    'Decide who you want to be for the next hour. What to do becomes much easier to see.',
  ),

  // Perspective
  m(
    'A year from now',
    'A year from now you may not remember this worry, but you will live with the habit you begin today.',
  ),
  m(
    'Zoom out',
    "Step back far enough and today's problem is a small stone on a long and rather lovely road.",
  ),
  m(
    'Two lists',
    'Make two lists: what I can change, what I cannot. Spend your strength on the first, and fold up the second.',
  ),
  m(
    'Already happened',
    'Something you once only hoped for is now so ordinary that you forget it. Find it and be glad.',
  ),
  m(
    'Better question',
    'Not: why is this happening to me? But: what does this ask of me? The second one has a door in it.',
  ),
  m(
    'Long game',
    'What you practice grows. Patience too. Worry too. Choose a little of the right one today.',
  ),
  m('Seeds', 'You will not see all that grows from what you do today. Plant it anyway.'),
  m(
    'Compare',
    'Compare yourself with yourself last year, and do it fairly. You have come further than it feels.',
  ),
  m(
    'Count again',
    'Count what you have before you count what is missing. The first list is usually longer than you think.',
  ),
  m(
    'Borrowed trouble',
    "Tomorrow's trouble charges interest if you borrow it today. Leave it at the counter.",
  ),
  m(
    'Ordinary wonder',
    'Your heart has worked every minute of your life without being asked. Borrow a bit of that faithfulness.',
  ),
  m(
    'What went right',
    'Write down one thing that went right lately and your part in it. Small evidence adds up.',
  ),
  m(
    'Scenic way',
    'There is no prize for hurrying through your own life, {{first_name}}. Take the scenic way once in a while.',
  ),
  m(
    'The other side',
    'Behind most things you are proud of there is a day you nearly stopped. Today may be one of those days.',
  ),

  // Public-domain quotations: exact words of authors and translators who died long ago. Marcus Aurelius and Epictetus
  // are translated by George Long (1879), Lao Tzu by James Legge (1897).
  q('Hope', 'Hope is the thing with feathers that perches in the soul.', 'Emily Dickinson'),
  q(
    'One heart',
    'If I can stop one heart from breaking, I shall not live in vain.',
    'Emily Dickinson',
  ),
  q('Pace of nature', 'Adopt the pace of nature: her secret is patience.', 'Ralph Waldo Emerson'),
  q('Enthusiasm', 'Nothing great was ever achieved without enthusiasm.', 'Ralph Waldo Emerson'),
  q('Well done', 'The reward of a thing well done, is to have done it.', 'Ralph Waldo Emerson'),
  q(
    'Iron string',
    'Trust thyself: every heart vibrates to that iron string.',
    'Ralph Waldo Emerson',
  ),
  q('Awake', 'Only that day dawns to which we are awake.', 'Henry David Thoreau'),
  q(
    'Simplify',
    'Simplicity, simplicity, simplicity! I say, let your affairs be as two or three, and not a hundred or a thousand.',
    'Henry David Thoreau',
  ),
  q(
    'Look within',
    'Look within. Within is the fountain of good, and it will ever bubble up, if thou wilt ever dig.',
    'Marcus Aurelius',
  ),
  q('Obstacle', 'That which is an obstacle on the road helps us on this road.', 'Marcus Aurelius'),
  q(
    'Grapes',
    'Nothing great is produced suddenly, since not even the grape or the fig is.',
    'Epictetus',
  ),
  q('Thousand li', 'The journey of a thousand li commenced with a single step.', 'Lao Tzu'),
  q(
    'Doubts',
    'Our doubts are traitors, and make us lose the good we oft might win, by fearing to attempt.',
    'William Shakespeare',
  ),
  q(
    'Little candle',
    'How far that little candle throws his beams! So shines a good deed in a naughty world.',
    'William Shakespeare',
  ),
  q('Ready minds', 'All things are ready, if our minds be so.', 'William Shakespeare'),
  q(
    'Open road',
    'Afoot and light-hearted I take to the open road, healthy, free, the world before me.',
    'Walt Whitman',
  ),
  q('Multitudes', 'I am large, I contain multitudes.', 'Walt Whitman'),
  q('Not to yield', 'To strive, to seek, to find, and not to yield.', 'Alfred Tennyson'),
  q('Newer world', "Come, my friends, 'tis not too late to seek a newer world.", 'Alfred Tennyson'),
  q(
    'Reach',
    "Ah, but a man's reach should exceed his grasp, or what's a heaven for?",
    'Robert Browning',
  ),
  q(
    'Up and doing',
    'Let us, then, be up and doing, with a heart for any fate.',
    'H. W. Longfellow',
  ),
  q(
    'Present',
    'Look not mournfully into the Past. It comes not back again. Wisely improve the Present. It is thine.',
    'H. W. Longfellow',
  ),
  q('Captain', 'I am the master of my fate: I am the captain of my soul.', 'W. E. Henley'),
  q('Joy for ever', 'A thing of beauty is a joy for ever.', 'John Keats'),
  q('Struggle', 'If there is no struggle there is no progress.', 'Frederick Douglass'),
  q(
    'Storms',
    "I'm not afraid of storms, for I'm learning how to sail my ship.",
    'Louisa May Alcott',
  ),
  q(
    'All shall be well',
    'All shall be well, and all shall be well, and all manner of thing shall be well.',
    'Julian of Norwich',
  ),
  q(
    'Less difficult',
    'What do we live for, if it is not to make life less difficult to each other?',
    'George Eliot',
  ),
  q('Happy, not dignified', 'I would always rather be happy than dignified.', 'Charlotte Bronte'),
  q(
    'Burdens',
    'No one is useless in this world who lightens the burden of it for any one else.',
    'Charles Dickens',
  ),
  q(
    'At hand',
    'Our grand business undoubtedly is, not to see what lies dimly at a distance, but to do what lies clearly at hand.',
    'Thomas Carlyle',
  ),
  q(
    'Perseverance',
    'Great works are performed, not by strength, but perseverance.',
    'Samuel Johnson',
  ),
  q('Spring', 'If Winter comes, can Spring be far behind?', 'Percy Bysshe Shelley'),
  q(
    'Grain of sand',
    'To see a World in a Grain of Sand, and a Heaven in a Wild Flower.',
    'William Blake',
  ),
  q('Every walk', 'In every walk with Nature one receives far more than he seeks.', 'John Muir'),
  q('Hopefully', 'To travel hopefully is a better thing than to arrive.', 'Robert Louis Stevenson'),
];

function m(title: string, content: string): LibraryMessage {
  return { title, content };
}

function q(title: string, words: string, author: string): LibraryMessage {
  return { title, content: `"${words}" - ${author}` };
}

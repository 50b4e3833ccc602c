/**
 * Which words a consent was given to; whoever changes the words on the page or in the text makes a new version here and
 * keeps the old one.
 *
 * signup-1, beside an unticked box and links to terms and privacy: "Yes, send me recurring motivational texts from
 * {product}, {one a day | one a week}, to the number that I gave. Msg & data rates may apply. Reply STOP to stop, HELP
 * for help. Consent is not a condition of any purchase."
 *
 * reply-1, by text: "{product}: Reply YES to get your motivational texts here, {how often}. Msg & data rates may apply.
 * HELP for help, STOP to cancel."
 *
 * staff-1, beside a box that an admin ticks: "They agreed in writing to get recurring texts at this number." What they
 * signed is kept by whoever ticked it.
 */
export const signupWording = 'signup-1';
export const replyWording = 'reply-1';
export const staffWording = 'staff-1';

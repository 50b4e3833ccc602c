/**
 * Versions of the consent wording. To change the text on the page or in a message, add a new version here and keep the
 * old one.
 *
 * signup-1, next to an unchecked box and links to terms and privacy: "Yes, send me recurring motivational texts from
 * {product}, {one a day | one a week}, to the number that I gave. Msg & data rates may apply. Reply STOP to stop, HELP
 * for help. Consent is not a condition of any purchase."
 *
 * reply-1, by text: "{product}: Reply YES to get your motivational texts here, {how often}. Msg & data rates may apply.
 * HELP for help, STOP to cancel."
 *
 * staff-1, next to a box that an admin checks: "They agreed in writing to get recurring texts at this number." The
 * admin keeps the signed document.
 */
export const signupWording = 'signup-1';
export const replyWording = 'reply-1';
export const staffWording = 'staff-1';

/**
 * Which words a consent was given to; a change of the words is a new version here.
 * `signup-1` is the consent box of the signup form, `reply-1` the text that asks a number to reply YES.
 */
export const signupWording = 'signup-1';
export const replyWording = 'reply-1';

/** Why a subscriber gets no texts, from before a payment that the scheduler may not know of yet. */
export const unpaidWords = {
  never: 'Your texts start when you subscribe.',
  ended: 'Your texts have stopped. Your Plan tab says why.',
};

import classes from './SignupPage.module.css';

/** Prerendered and revealed only by `before-paint.ts`, so a returning visitor sees no empty form. */
export const CheckingCheckout = () => (
  <div className={classes.checking} role="status">
    <h2 className={classes.heading}>Checking your checkout...</h2>
  </div>
);

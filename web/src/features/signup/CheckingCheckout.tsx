import classes from './SignupPage.module.css';

/** Prerendered, and shown only by `before-paint.ts`: until the app knows the open checkout, there is no empty form. */
export const CheckingCheckout = () => (
  <div className={classes.checking} role="status">
    <h2 className={classes.heading}>Checking your checkout...</h2>
  </div>
);

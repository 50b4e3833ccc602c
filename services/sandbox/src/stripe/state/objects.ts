import type Stripe from 'stripe';

/**
 * The JSON form of an SDK type: decimals are strings, and an expandable field holds its id. The compiler
 * then demands every field that the pinned API version has.
 */
export type Wire<T> = T extends string
  ? T
  : T extends Stripe.Decimal
    ? string
    : T extends readonly (infer Element)[]
      ? WireField<Element>[]
      : T extends object
        ? { [Key in keyof T]: WireField<T[Key]> }
        : T;

type WireField<T> = [Extract<T, string>] extends [never]
  ? Wire<T>
  : [Extract<T, { id: string }>] extends [never]
    ? Wire<T>
    : Exclude<T, { id: string }>;

export type Customer = Wire<Stripe.Customer>;
export type CustomerBalanceTransaction = Wire<Stripe.CustomerBalanceTransaction>;
export type Product = Wire<Stripe.Product>;
export type Price = Wire<Stripe.Price>;
export type Plan = Wire<Stripe.Plan>;
export type PaymentMethod = Wire<Stripe.PaymentMethod>;
export type PaymentIntent = Wire<Stripe.PaymentIntent>;
export type Charge = Wire<Stripe.Charge>;
export type Refund = Wire<Stripe.Refund>;
export type Dispute = Wire<Stripe.Dispute>;
export type BalanceTransaction = Wire<Stripe.BalanceTransaction>;
export type Invoice = Wire<Stripe.Invoice>;
export type TaxId = NonNullable<Invoice['customer_tax_ids']>[number];
export type InvoiceLine = Wire<Stripe.InvoiceLineItem>;
export type InvoicePayment = Wire<Stripe.InvoicePayment>;
export type Subscription = Wire<Stripe.Subscription>;
export type SubscriptionItem = Wire<Stripe.SubscriptionItem>;
export type Coupon = Wire<Stripe.Coupon>;
export type PromotionCode = Wire<Stripe.PromotionCode>;
export type Discount = Wire<Stripe.Discount>;
export type CheckoutSession = Wire<Stripe.Checkout.Session>;
export type CheckoutLineItem = Wire<Stripe.LineItem>;
export type PortalConfiguration = Wire<Stripe.BillingPortal.Configuration>;
export type PortalSession = Wire<Stripe.BillingPortal.Session>;

type Words<Text extends string, Found = never> = Text extends `${infer Word} ${infer Rest}`
  ? Words<Rest, Found | Word>
  : Found | Text;

/** Returns an object in which each of the fields, separated by spaces, is null. */
export function nulls<const Names extends readonly string[]>(
  ...names: Names
): { [Name in Words<Names[number]> & string]: null } {
  const fields = names.flatMap((each) => each.split(' ')).map((name) => [name, null]);
  return Object.fromEntries(fields);
}

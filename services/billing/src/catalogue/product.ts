/** What pages and emails say about the product and its company. */
export interface Product {
  name: string;
  supportEmail: string;
  companyName: string;
  termsEffectiveDate: string;
  refundPolicy: string;
  /** Whose numbers can sign up, ISO 3166. */
  countries: readonly string[];
  /** Without a trailing slash. */
  publicUrl: string;
}

export interface TextCostsTable {
  date: string;
  country: string;
  texts: number;
  /** A decimal string. */
  cost: string;
}

import { useId } from 'react';
import classes from './Logo.module.css';

/** The rising sun over a hill. Inline, to use the page's colors. */
export const LogoMark = ({ size = 32 }: { size?: number }) => {
  const id = useId();
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <defs>
        <linearGradient id={`${id}-sky`} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#8cc4f7" />
          <stop offset="0.55" stopColor="#ffd9b0" />
          <stop offset="1" stopColor="#ffb78a" />
        </linearGradient>
        <clipPath id={`${id}-tile`}>
          <rect width="32" height="32" rx="9" />
        </clipPath>
      </defs>
      <g clipPath={`url(#${id}-tile)`}>
        <rect width="32" height="32" fill={`url(#${id}-sky)`} />
        <circle cx="16" cy="18.5" r="6.5" fill="#fff6dd" />
        <circle cx="16" cy="18.5" r="5" fill="#ffc23d" />
        <path
          d="M16 5.2v3.4M6.4 9l2.3 2.5M25.6 9l-2.3 2.5"
          stroke="#fff6dd"
          strokeWidth="2"
          strokeLinecap="round"
        />
        <path d="M0 24c5-5.2 10-5.4 15.5-2.4S27 24.600 32 20.500V32H0z" fill="#4a7fb8" />
        <path d="M0 27.500c6-3.600 11-2.900 16-.8s11 1.600 16-1.700V32H0z" fill="#1b2a4e" />
      </g>
    </svg>
  );
};

/** Mark and product name; only the mark until the name has loaded. */
export const Logo = ({ name, size = 32 }: { name?: string; size?: number }) => (
  <span className={classes.logo}>
    <LogoMark size={size} />
    <span className={classes.name}>{name ?? '\u00a0'}</span>
  </span>
);

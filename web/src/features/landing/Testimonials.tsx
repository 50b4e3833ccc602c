import classes from './Testimonials.module.css';

const testimonials = [
  {
    name: 'Maya R.',
    about: 'Night-shift nurse, Chicago',
    rating: 5,
    text: "My alarm is set for four in the afternoon, and so is my text. It's the first thing I read that isn't asking me for something.",
  },
  {
    name: 'Daniel O.',
    about: 'Father of three, Toronto',
    rating: 5,
    text: 'I expected slogans. Instead, it feels like a friend who knows when to be brief. I read some of them out at breakfast.',
  },
  {
    name: 'Elena V.',
    about: 'Freelance translator, Berlin',
    rating: 5,
    text: "I had deleted every habit app I ever tried. This one I never have to open, which is exactly why I'm still here a year later.",
  },
] as const;

const Stars = ({ rating }: { rating: number }) => (
  <p className={classes.stars}>
    <span className={classes.hidden}>Rated {rating} out of 5</span>
    <span aria-hidden="true">{'★'.repeat(rating)}</span>
  </p>
);

export const Testimonials = () => (
  <section className={classes.section} aria-labelledby="testimonials-title">
    <h2 id="testimonials-title" className={classes.title}>
      What mornings feel like now
    </h2>
    <ul className={classes.grid}>
      {testimonials.map(({ name, about, rating, text }) => (
        <li key={name} className={classes.card}>
          <figure className={classes.figure}>
            <Stars rating={rating} />
            <blockquote className={classes.quote}>{text}</blockquote>
            <figcaption className={classes.person}>
              <span className={classes.initial} aria-hidden="true">
                {name.charAt(0)}
              </span>
              <span>
                <strong>{name}</strong>
                <span className={classes.about}>{about}</span>
              </span>
            </figcaption>
          </figure>
        </li>
      ))}
    </ul>
  </section>
);

import { Link } from 'react-router'
import { type Condition, State } from '../../../../console/theme/State.tsx'
import { none } from '../../../../console/words/formats.ts'

export type Note = { key: string; is: Condition; count: number; word: string; to: string }

/** A figure, and what it is made of; each part leads to the list it counts. */
export const Tile = ({ to, label, count, notes = [] }: { to: string; label: string; count: number | undefined; notes?: Note[] }) => (
  <section className="tile" aria-label={label}>
    <Link to={to}>
      <span className="tile-label">{label}</span>
      <span className="tile-figure">{count ?? none}</span>
    </Link>
    <span className="tile-note">
      {notes
        .filter((note) => note.count > 0)
        .map((note) => (
          <Link key={note.key} to={note.to}>
            <State is={note.is}>
              {note.count} {note.word}
            </State>
          </Link>
        ))}
    </span>
  </section>
)

import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type Condition, State } from '../../../../console/theme/State.tsx'
import { none } from '../../../../console/words/formats.ts'

export type Note = { key: string; is: Condition; count: number; word: string; to: string }

type Props = {
  to: string
  /** Identifies the tile, whatever it counts. */
  name: string
  /** The condition to count by. */
  noun?: string
  count: number | string | undefined
  notes?: Note[]
  /** Below the figure. */
  children?: ReactNode
}

/** A figure and its parts. Each part links to the list that it counts. */
export const Tile = ({ to, name, noun = name, count, notes = [], children }: Props) => (
  <section className="tile" aria-label={name}>
    <Link to={to}>
      <span className="tile-label">{noun}</span>
      <span className="tile-figure">{count ?? none}</span>
    </Link>
    <span className="tile-note">
      {children}
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

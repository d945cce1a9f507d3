import type { ReactNode } from 'react'
import type { Look } from './clusters.ts'
import { Sign } from './Sign.tsx'

type Props = { name: string | null; is: Look; text: string; chosen: boolean; choose: () => void; children: ReactNode }
/** A place in the list beside a map, with its details when chosen. */
export const Row = ({ name, is, text, chosen, choose, children }: Props) => (
  <li className={chosen ? 'map-row map-row-chosen' : 'map-row'}>
    <button type="button" aria-expanded={chosen} onClick={choose}>
      <span className="map-row-shape">
        <Sign is={is} />
      </span>
      <span className="map-row-name">
        <strong>{name}</strong>
        <span className="soft">{text}</span>
      </span>
    </button>
    {chosen && children}
  </li>
)

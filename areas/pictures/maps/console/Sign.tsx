import { Shape } from '../../../../console/theme/State.tsx'
import type { Look } from './clusters.ts'

/** A state by its shape: a dot when all is well, a bar where nothing is known. */
export const Sign = ({ is }: { is: Look }) => {
  if (is === 'normal') return <span className="map-dot" />
  return is === 'none' || is === 'unknown' ? <span className="map-bar" /> : <Shape is={is} />
}

import { Shape } from '../../../../console/theme/State.tsx'
import type { Look } from './clusters.ts'

/** A state by shape: a dot if all is well, a bar if unknown. */
export const Sign = ({ is }: { is: Look }) => {
  if (is === 'normal') return <span className="map-dot" />
  return is === 'none' || is === 'unknown' ? <span className="map-bar" /> : <Shape is={is} />
}

import { type ReactNode, useMemo } from 'react'
import type { DrawnLayer, TileSource } from '../contract.ts'
import { GivenTiles, type Load } from './tiles.ts'

export type { Load } from './tiles.ts'

type Props = { tiles: TileSource | null; layers: readonly DrawnLayer[]; load: Load; children: ReactNode }
/** Map server and layers of maps for viewers without an account. Keeps the same object while unchanged, to avoid a redraw. */
export const GivenGround = ({ tiles, layers, load, children }: Props) => {
  const [source, drawn] = [tiles && JSON.stringify(tiles), JSON.stringify(layers)]
  const value = useMemo(
    () => ({
      tiles: source ? { ...(JSON.parse(source) as TileSource), load } : undefined,
      layers: JSON.parse(drawn) as DrawnLayer[],
    }),
    [source, drawn, load],
  )
  return <GivenTiles value={value}>{children}</GivenTiles>
}

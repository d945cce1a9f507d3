import { useContext, useMemo, useState } from 'react'
import { useCall } from '../../../../console/kernel/api.ts'
import { type DrawnLayer, mapCalls } from '../contract.ts'
import { GivenTiles } from './tiles.ts'

/** The company's own layers, and which are shown. A switch applies until the map closes. */
export const useLayers = () => {
  const given = useContext(GivenTiles)
  const { data } = useCall(mapCalls.layers, { of: ['mapLayer'], enabled: !given })
  const [switched, setSwitched] = useState<Readonly<Record<number, boolean>>>({})
  const all: readonly DrawnLayer[] | undefined = given ? given.layers : data
  const isOn = ({ Id, IsShown }: DrawnLayer) => switched[Id] ?? IsShown === 1
  const shown = useMemo(() => all?.filter(({ Id, IsShown }) => switched[Id] ?? IsShown === 1), [all, switched])
  return { all: all ?? [], shown, isOn, turn: (id: number, on: boolean) => setSwitched((now) => ({ ...now, [id]: on })) }
}

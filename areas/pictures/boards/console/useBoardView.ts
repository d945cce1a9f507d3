import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { useTrendView } from '../../../../console/chart/trendView.ts'
import { type BoardContent, most } from '../contract.ts'
import type { Choice } from './useBoardData.ts'

const given = (params: URLSearchParams, name: string) => {
  const id = Number(params.get(name))
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/** Comma-separated Ids. */
const givenMany = (params: URLSearchParams, name: string) =>
  [...new Set((params.get(name) ?? '').split(',').map(Number))].filter((id) => Number.isSafeInteger(id) && id > 0).slice(0, most.chosen)

/** The viewer's choices, stored in the URL: time range, and the records of variables. */
export const useBoardView = ({ Range, Variables }: BoardContent) => {
  const [params, setParams] = useSearchParams()
  const view = useTrendView(Range)
  const text = params.toString()
  const choice = useMemo((): Choice => {
    const at = new URLSearchParams(text)
    const devices = givenMany(at, 'device')
    const of = {
      ...{ ProjectId: given(at, 'project'), ModelId: given(at, 'model') },
      ...(devices.length > 1 ? { DeviceIds: devices } : { DeviceId: devices[0] }),
    }
    return Object.fromEntries(Object.entries(of).filter(([, id]) => id !== undefined))
  }, [text])
  const choose = (name: string, ids: readonly number[]) =>
    setParams(
      (old) => {
        const next = new URLSearchParams(old)
        if (ids.length) next.set(name, ids.join())
        else next.delete(name)
        // A device belongs to one project and one model.
        if (name !== 'device') next.delete('device')
        return next
      },
      { replace: true },
    )
  /** The selected record, by default the board's own. */
  const chosen = (name: 'project' | 'model' | 'device') => {
    const of = { project: choice.ProjectId, model: choice.ModelId, device: choice.DeviceId ?? choice.DeviceIds?.[0] }[name]
    return of ?? Variables.find(({ Name }) => Name === name)?.Id
  }
  const first = chosen('device')
  return { ...view, choice, chosen, devices: choice.DeviceIds ?? (first ? [first] : []), choose }
}

import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { useTrendView } from '../../../../console/chart/trendView.ts'
import type { BoardContent } from '../contract.ts'
import type { Choice } from './useBoardData.ts'

const given = (params: URLSearchParams, name: string) => {
  const id = Number(params.get(name))
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/** What people chose while they look: the time, and the records of its variables. The address keeps it. */
export const useBoardView = ({ Range, Variables }: BoardContent) => {
  const [params, setParams] = useSearchParams()
  const view = useTrendView(Range)
  const text = params.toString()
  const choice = useMemo((): Choice => {
    const at = new URLSearchParams(text)
    const of = { ProjectId: given(at, 'project'), ModelId: given(at, 'model'), DeviceId: given(at, 'device') }
    return Object.fromEntries(Object.entries(of).filter(([, id]) => id !== undefined))
  }, [text])
  const choose = (name: string, id: number | null) =>
    setParams(
      (old) => {
        const next = new URLSearchParams(old)
        if (id) next.set(name, String(id))
        else next.delete(name)
        // A device belongs to one project and one model.
        if (name !== 'device') next.delete('device')
        return next
      },
      { replace: true },
    )
  /** The chosen record, or else the board's own. */
  const chosen = (name: 'project' | 'model' | 'device') => {
    const of = { project: choice.ProjectId, model: choice.ModelId, device: choice.DeviceId }[name]
    return of ?? Variables.find(({ Name }) => Name === name)?.Id
  }
  return { ...view, choice, chosen, choose }
}

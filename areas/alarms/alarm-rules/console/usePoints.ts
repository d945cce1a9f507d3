import { useState } from 'react'
import { useCall } from '../../../../console/kernel/api.ts'
import type { Answer } from '../../../../contract/call.ts'
import { alarmRuleCalls } from '../contract.ts'

export type RulePoint = Answer<typeof alarmRuleCalls.search>[number]

/** Maximum points in a search result of the server. */
export const offeredAtOnce = 200

/** Points to choose from, searched on the server, and the chosen ones. */
export const usePoints = (chosen: readonly number[]) => {
  const [Search, setSearch] = useState('')
  const found = useCall(alarmRuleCalls.search, { query: { Search }, of: ['point', 'device'] })
  const ids = [...new Set(chosen)].sort((a, b) => a - b).join(',')
  const chosenPoints = useCall(alarmRuleCalls.search, { query: { ParaIds: ids }, of: ['point', 'device'], enabled: ids !== '' })
  const known = new Map<number, RulePoint>([...(ids ? (chosenPoints.data ?? []) : []), ...(found.data ?? [])].map((p) => [p.ParaId, p]))
  return { known, found: found.data ?? [], loading: found.isFetching, failed: found.error?.message, search: setSearch }
}
export type Points = ReturnType<typeof usePoints>

import { useCallback, useMemo } from 'react'
import { useCall } from '../../../../console/kernel/api.ts'
import { useAddress } from '../../../../console/shell/useAddress.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { analysisCalls } from '../contract.ts'

/** Numbers in a list of the address, each once. */
const numbersIn = (text: string | null) =>
  [...new Set((text ?? '').split(',').map(Number))].filter((id) => Number.isSafeInteger(id) && id > 0)

/**
 * The points that the address names, of those that the reader may see, in their order. Where it names none, those of the standard
 * parameters `codes`; an empty choice stays one.
 */
export const useChosenPoints = (most: number, codes?: string) => {
  const [params, set] = useAddress()
  const text = params.get('points')
  const asked = useMemo(() => numbersIn(text).slice(0, most), [text, most])
  const isStandard = codes !== undefined && text === null
  const query = useCall(analysisCalls.findPoints, {
    query: isStandard ? { Codes: codes } : { ParaIds: asked.join() },
    of: ['point', 'device'],
    enabled: isStandard || asked.length > 0,
  })
  const points = useMemo(() => {
    const found = query.data?.Items ?? []
    if (isStandard) return found.slice(0, most)
    const known = new Map(found.map((p) => [p.ParaId, p]))
    return asked.flatMap((id): ParaInfo[] => (known.has(id) ? [known.get(id)!] : []))
  }, [asked, query.data, isStandard, most])
  const ids = useMemo(() => (isStandard ? points.map((p) => p.ParaId) : asked), [isStandard, points, asked])
  const choose = useCallback(
    (next: readonly number[]) => set({ points: next.slice(0, most).join() || (codes && '0'), after: undefined }),
    [set, most, codes],
  )
  return { ids, points, choose, error: query.error, isLoading: (isStandard || asked.length > 0) && query.isPending }
}

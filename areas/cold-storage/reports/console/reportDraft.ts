import { useEffect, useState } from 'react'
import { wallToEpoch } from '../../../../console/words/formats.ts'

/** The wizard's current entries. */
export type Draft = {
  kind: 'check' | 'running'
  ColdStorageId: number | null
  /** A period as calendarSpans.ts writes it. */
  of: string
  CheckKind: number
  LoadState: number
  Season: number
  Purpose: string
  CriteriaId: number | null
  /** Local times, as typed. */
  marks: { Kind: 1 | 2; From: string; To: string }[]
}
const fresh: Draft = {
  kind: 'check',
  ColdStorageId: null,
  of: '',
  CheckKind: 2,
  LoadState: 0,
  Season: 3,
  Purpose: '',
  CriteriaId: null,
  marks: [],
}
const key = 'cold-report-draft'

/** Kept in session storage until the report is generated, so that a reload loses nothing. */
export const useDraft = () => {
  const [draft, set] = useState<Draft>(() => {
    try {
      return { ...fresh, ...(JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<Draft>) }
    } catch {
      return fresh
    }
  })
  useEffect(() => sessionStorage.setItem(key, JSON.stringify(draft)), [draft])
  return { draft, put: (part: Partial<Draft>) => set((now) => ({ ...now, ...part })), forget: () => sessionStorage.removeItem(key) }
}

const moment = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}(:\d{2})?$/
/** Epoch ms of a typed time; undefined if it is invalid. */
export const momentOf = (text: string): number | undefined => {
  const given = text.trim()
  const at = moment.test(given) ? wallToEpoch(given.length === 16 ? `${given}:00` : given) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

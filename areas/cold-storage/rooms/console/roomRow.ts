import { useQuery } from '@tanstack/react-query'
import type { Static, TObject } from 'typebox'
import { rowsQuery, type Shown } from '../../../../console/kernel/api.ts'
import { none, numberText } from '../../../../console/words/formats.ts'
import { language } from '../../../../console/words/words.ts'
import type { Page } from '../../../../contract/call.ts'
import type { Present } from '../calls.ts'
import { coldStorage } from '../contract.ts'

export type RoomRow = Shown<typeof coldStorage> & Static<TObject<typeof Present>>
const freshMs = 30_000
/** Rooms with what they measure now. */
export const useRooms = (query: Record<string, unknown> = {}) => {
  const answer = useQuery({ ...rowsQuery(coldStorage, { PageIndex: 1, PageSize: 200, ...query }), refetchInterval: freshMs })
  return { ...answer, data: answer.data as Page<RoomRow> | undefined }
}

export const degrees = (value: number | null | undefined, digits = 1) =>
  value === null || value === undefined ? none : `${numberText(value, digits, language())} °C`
export const percent = (value: number | null | undefined) =>
  value === null || value === undefined ? none : `${numberText(value, 0, language())} %`

/** Whether any sensor of the room is outside its band now. */
export const isOutside = ({ TempLow, TempHigh, LastTempMin, LastTempMax }: RoomRow) =>
  (TempHigh !== null && LastTempMax !== null && LastTempMax > TempHigh) ||
  (TempLow !== null && LastTempMin !== null && LastTempMin < TempLow)

/** `2 to 8 °C`, or the one limit there is. */
export const bandText = ({ TempLow, TempHigh }: Pick<RoomRow, 'TempLow' | 'TempHigh'>) =>
  TempLow !== null && TempHigh !== null
    ? `${numberText(TempLow, 0, language(), 1)} … ${degrees(TempHigh, 0)}`
    : TempHigh !== null
      ? `≤ ${degrees(TempHigh, 0)}`
      : TempLow !== null
        ? `≥ ${degrees(TempLow, 0)}`
        : none

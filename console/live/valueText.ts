import { stateText } from '../../contract/point-value.ts'
import type { ParaInfo } from '../../contract/telemetry.ts'
import { none, numberText } from '../words/formats.ts'
import { language, type Words } from '../words/words.ts'

export const isBool = ({ ParaDataTypeName }: Pick<ParaInfo, 'ParaDataTypeName'>) => /bool/i.test(ParaDataTypeName)

type Point = Pick<ParaInfo, 'ParaDataTypeName' | 'DecimalDigits' | 'ZeroText' | 'OneText'>
/** A value as people read it, without its unit: the text of a state, or a number with the decimals of its point. */
export const valueText = (value: number | null | undefined, point: Point, t: Words): string => {
  if (!isBool(point)) return numberText(value, point.DecimalDigits, language())
  return value === null || value === undefined ? none : stateText(value, point, t, (part) => numberText(part, 2, language()))
}

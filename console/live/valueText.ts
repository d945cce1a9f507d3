import { valueTextIn } from '../../contract/point-value.ts'
import type { ParaInfo } from '../../contract/telemetry.ts'
import { language, type Words } from '../words/words.ts'

export { isBool } from '../../contract/point-value.ts'

type Point = Pick<ParaInfo, 'ParaDataTypeName' | 'DecimalDigits' | 'ZeroText' | 'OneText'>
/** Formats a value without its unit, in the user's language. */
export const valueText = (value: number | null | undefined, point: Point, t: Words): string => valueTextIn(value, point, t, language)

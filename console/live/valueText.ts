import { valueTextIn } from '../../contract/point-value.ts'
import type { ParaInfo } from '../../contract/telemetry.ts'
import { language, type Words } from '../words/words.ts'

export { isBool } from '../../contract/point-value.ts'

type Point = Pick<ParaInfo, 'ParaDataTypeName' | 'DecimalDigits' | 'ZeroText' | 'OneText'>
/** A value as people read it, without its unit, in their language. */
export const valueText = (value: number | null | undefined, point: Point, t: Words): string => valueTextIn(value, point, t, language)

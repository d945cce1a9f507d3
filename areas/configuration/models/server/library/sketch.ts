// Short forms for the points of shipped models: one line per point.
import type { Draft, Row } from '../../../../../contract/resource.ts'
import type { modelPara, proModel } from '../../contract.ts'

/** A point with the field names of a model point; `Code` identifies its standard parameter. */
export type LibraryPoint = Omit<Draft<typeof modelPara>, 'ModelId' | 'StandardParaId'> & { Code?: string | undefined }
export type LibraryModel = Pick<Row<typeof proModel>, 'ModelName' | 'ModelNo' | 'Parameters' | 'Remark' | 'Protocol'> & {
  /** Never changes: it ensures that a model is added only once. */
  Key: string
  Points: readonly LibraryPoint[]
}
type More = Partial<LibraryPoint>

/** Data types of ruling 29, high word and byte first. */
export const type = { bool: 0, int16: 1, uint16: 2, int32: 3, float: 7, uint32: 33 } as const

/** A value that its standard defines as an integer of `steps` per unit. */
export const fixed = (low: number, high: number, steps: number): More => ({
  ...{ SampleLow: low * steps, SampleHigh: high * steps, ProjectLow: low, ProjectHigh: high },
  DecimalDigits: Math.round(Math.log10(steps)),
})
export const whole: More = { DecimalDigits: 0 }
/** A counter; uploaded once a minute. */
export const counter: More = { UploadMode: 0, UploadPeriod: 60 }
/** A state; uploaded on change. */
export const state: More = { UploadMode: 3, DecimalDigits: 0 }

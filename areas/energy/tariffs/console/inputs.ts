import { Form } from 'antd'
import { currency } from '../../../../console/session/session.ts'
import { type EnergyType, unitsOfTypes } from '../../circuits/contract.ts'

/** What a form gives to the input of one of its fields. */
export type InputProps = { id?: string; value?: unknown; onChange?: (value: unknown) => void }

export const listOf = <T>(value: unknown) => (Array.isArray(value) ? (value as readonly T[]) : [])

/** What the prices of the form are in: a unit of its kind of energy, and the company's currency. */
export const usePriceUnit = () => {
  const type = Form.useWatch('EnergyType', Form.useFormInstance()) as EnergyType | undefined
  return { unit: unitsOfTypes[type ?? 1], currency: currency() }
}

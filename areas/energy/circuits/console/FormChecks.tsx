import { useDeferredValue } from 'react'
import { useCall } from '../../../../console/kernel/api.ts'
import { Shape } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { circuitCalls, energyInfo, fromFormula } from '../contract.ts'

type Values = Record<string, unknown>
type Props = { values: Values; row: Values | undefined }

/** Results of the server's checks of code and formula while typing. */
export const FormChecks = ({ values, row }: Props) => {
  const t = useWords()
  const code = useDeferredValue(String(values.EnergyCode ?? ''))
  const formula = useDeferredValue(String(values.Formula ?? '').trim())
  const Id = row ? Number(row.Id) : undefined
  const of = [energyInfo.name]
  const own = Id === undefined ? {} : { Id }
  const ofCode = useCall(circuitCalls.checkCode, {
    body: { EnergyCode: code, ...own },
    of,
    enabled: code !== '' && code !== row?.EnergyCode,
  })
  const isFormula = values.Source === fromFormula && formula !== '' && formula !== row?.Formula
  const unit = typeof values.Unit === 'string' && values.Unit.trim() ? { Unit: values.Unit.trim().slice(0, 12) } : {}
  const ofFormula = useCall(circuitCalls.checkFormula, {
    body: { Formula: formula, EnergyType: Number(values.EnergyType) || 1, ...unit, ...own },
    of,
    enabled: isFormula,
  })
  const wrong = [...(code !== row?.EnergyCode ? (ofCode.data?.Errors ?? []) : []), ...(isFormula ? (ofFormula.data?.Errors ?? []) : [])]
  const place = isFormula ? ofFormula.data?.Places[0] : undefined
  return (
    <>
      {wrong.map((text) => (
        <p key={text} role="alert">
          <Shape is="alarm" /> {text}
        </p>
      ))}
      {place !== undefined && (
        <p className="mono wrap">
          {formula.slice(Math.max(0, place - 20), place)}
          <mark>{formula.slice(place, place + 1) || '·'}</mark>
          {formula.slice(place + 1, place + 20)}
        </p>
      )}
      {isFormula && ofFormula.data?.Valid && <p className="soft">{t('circuit.formulaValid')}</p>}
    </>
  )
}

import './channels.css'
import { Form } from 'antd'
import { useId } from 'react'
import { hasWords, useWords } from '../../../../console/words/words.ts'
import { protocolOf } from '../../../../contract/protocols/index.ts'
import { Plug } from './Plug.tsx'

type Props = { id?: string; value?: unknown; onChange?: (value: number) => void }

/** Selects a protocol by the picture of the other end. */
export const plugChoice = (numbers: readonly number[], r: string) =>
  function PlugChoice({ id, value, onChange }: Props) {
    const t = useWords()
    const form = Form.useFormInstance()
    const name = useId()
    // An existing channel keeps its protocol even if the gateway no longer announces it.
    const shown = typeof value === 'number' && !numbers.includes(value) ? [...numbers, value] : numbers
    const choose = (next: number) => {
      const usual = [protocolOf(Number(value))?.port, null, undefined]
      if (usual.includes(form.getFieldValue('Port'))) form.setFieldValue('Port', protocolOf(next)?.port ?? null)
      onChange?.(next)
    }
    return (
      <div className="plugs" role="radiogroup" id={id} aria-label={t(`${r}.ProtocolType`)}>
        {shown.map((number) => {
          const protocol = protocolOf(number)?.name ?? ''
          return (
            <label key={number} className="plug-card">
              <input type="radio" name={name} checked={number === value} onChange={() => choose(number)} />
              <Plug of={protocol} />
              <span>
                <strong>{t(`${r}.ProtocolType.${number}`)}</strong>
                {hasWords(`protocol.${protocol}.help`) && <small className="soft">{t(`protocol.${protocol}.help`)}</small>}
              </span>
            </label>
          )
        })}
      </div>
    )
  }

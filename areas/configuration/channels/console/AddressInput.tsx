import { Input } from 'antd'
import { useWords } from '../../../../console/words/words.ts'
import { addressFault, protocolOf } from '../../../../contract/protocols/index.ts'

type InputProps = { id?: string; value?: unknown; onChange?: (value: unknown) => void }

/** Address input with an example of the protocol. Validates while typing; expressions in braces are validated when they are filled. */
const addressInput = (protocol: number) =>
  function AddressInput({ value, onChange, id, ...rest }: InputProps) {
    const t = useWords()
    const text = String(value ?? '')
    const fault = text && !text.includes('{') ? addressFault(protocol, text) : undefined
    const example = protocolOf(protocol)?.example ?? ''
    return (
      <>
        <Input
          {...rest}
          {...(id ? { id } : {})}
          value={text}
          onChange={({ target }) => onChange?.(target.value || null)}
          status={fault ? 'error' : ''}
          maxLength={250}
          autoComplete="off"
          spellCheck={false}
        />
        <small className={fault ? 'address-fault' : 'soft'} role="status">
          {fault ? t('address.wrongAt', { at: fault.at + 1, example }) : t('address.example', { example })}
        </small>
      </>
    )
  }

/** Caches one component per protocol, so that the input is not remounted. */
const inputs = new Map<number, ReturnType<typeof addressInput>>()
export const addressInputOf = (protocol: number) => {
  const input = inputs.get(protocol) ?? addressInput(protocol)
  inputs.set(protocol, input)
  return input
}

import { Alert, Button, Radio } from 'antd'
import { useState } from 'react'
import type { Resource } from '../../../contract/resource.ts'
import { useWords } from '../../words/words.ts'
import { Cell, FieldInput } from '../fields.tsx'
import type { Clash } from './merge.ts'

type ConflictProps = { of: Resource; clashes: Clash[]; onChosen: (values: Record<string, unknown>) => void }

/** A save conflict: shows both values of each field that differs. The person chooses one. */
export const Conflict = ({ of: r, clashes, onChosen }: ConflictProps) => {
  const t = useWords()
  const [kept, setKept] = useState(() => Object.fromEntries(clashes.map((c) => [c.field, c.keep])))
  const shown = (field: string, value: unknown) => {
    const f = r.fields[field]
    // An entered ref has no title yet. Its picker finds it.
    return f?.kind === 'ref' ? (
      <FieldInput field={f} name={`${r.name}.${field}`} value={value} disabled aria-label={t(`${r.name}.${field}`)} />
    ) : (
      <Cell of={r} field={field} row={{ [field]: value }} />
    )
  }
  const choose = () => onChosen(Object.fromEntries(clashes.map((c) => [c.field, kept[c.field] === 'mine' ? c.mine : c.theirs])))
  return (
    <Alert
      type="warning"
      showIcon
      role="alert"
      className="form-summary"
      title={t('conflict.title')}
      description={
        <>
          <p>{t('conflict.choose')}</p>
          {clashes.map(({ field, mine, theirs }) => (
            <fieldset key={field} className="form-section">
              <legend>{t(`${r.name}.${field}`)}</legend>
              <Radio.Group
                vertical
                value={kept[field]}
                onChange={(e) => setKept({ ...kept, [field]: e.target.value })}
                options={Object.entries({ mine, theirs }).map(([value, of]) => ({
                  value,
                  label: (
                    <>
                      {t(`conflict.${value}`)} {shown(field, of)}
                    </>
                  ),
                }))}
              />
            </fieldset>
          ))}
          <Button onClick={choose}>{t('conflict.take')}</Button>
        </>
      }
    />
  )
}

import { Checkbox, Form, Input, InputNumber, Select } from 'antd'
import { useWords } from '../../../../../console/words/words.ts'
import type { Action, Item } from '../../../../../contract/picture/scene.ts'
import { type Points, Source } from './Source.tsx'

/** What a click on the item does. */
export const ClickAction = ({ item, points, change }: { item: Item; points: Points; change: (acts: Action[] | undefined) => void }) => {
  const t = useWords()
  const action = item.acts?.[0]
  const put = (more: Partial<Action>) => action && change([{ ...action, ...more }])
  const writes = action && action.do !== 'open' && action.do !== 'link'
  const number = (name: 'value' | 'low' | 'high') => (
    <Form.Item key={name} label={t(`edit.act.${name}`)}>
      <InputNumber
        aria-label={t(`edit.act.${name}`)}
        value={action?.[name] ?? null}
        onChange={(value) => put({ [name]: value ?? undefined })}
      />
    </Form.Item>
  )
  return (
    <>
      <Form.Item label={t('edit.act')}>
        <Select
          aria-label={t('edit.act')}
          allowClear
          value={action?.do ?? null}
          placeholder={t('edit.act.none')}
          options={(['set', 'toggle', 'step', 'link'] as const).map((value) => ({ value, label: t(`edit.act.${value}`) }))}
          onChange={(value: Action['do'] | null) =>
            change(value ? [{ do: value, ...(value === 'link' ? { path: '/' } : { of: '0' }) }] : undefined)
          }
        />
      </Form.Item>
      {action?.do === 'link' && (
        <Form.Item label={t('edit.act.path')}>
          <Input
            aria-label={t('edit.act.path')}
            maxLength={500}
            value={action.path ?? ''}
            onChange={(event) => /^\/[^/\\]/.test(event.target.value) && put({ path: event.target.value })}
          />
        </Form.Item>
      )}
      {writes && (
        <>
          <Source
            label={t('edit.act.of')}
            value={action.of ?? '0'}
            points={points.filter(({ ReadWriteType }) => ReadWriteType !== 0)}
            change={(of) => put({ of })}
          />
          <div className="edit-numbers">{(action.do === 'toggle' ? [] : (['value', 'low', 'high'] as const)).map(number)}</div>
          <Source label={t('edit.act.when')} value={action.when ?? '1'} points={points} change={(when) => put({ when })} />
          <Checkbox checked={action.reason === true} onChange={(event) => put({ reason: event.target.checked || undefined })}>
            {t('edit.act.reason')}
          </Checkbox>
        </>
      )}
    </>
  )
}

import { Checkbox, Form, Input, InputNumber, Select } from 'antd'
import { useWords } from '../../../../../console/words/words.ts'
import { type Action, deeds, type Item, longestPulse, type Scene, writing } from '../../../../../contract/picture/scene.ts'
import { DeviceChoice } from './PartFields.tsx'
import { PictureChoice } from './PictureChoice.tsx'
import { type Points, Source } from './Source.tsx'
import { Texts } from './Texts.tsx'

type Props = { item: Item; points: Points; scene: Scene; project: number; change: (acts: Action[] | undefined) => void }
/** Initial fields of an action. */
const begun: Readonly<Record<Action['do'], Omit<Action, 'do'>>> = {
  ...{ open: {}, faceplate: {}, acknowledge: {}, link: { path: '/' } },
  ...{ set: { of: '0' }, toggle: { of: '0' }, step: { of: '0' }, pulse: { of: '0', value: 1, ms: 500 } },
}
const numbers: Readonly<Partial<Record<Action['do'], readonly ('value' | 'low' | 'high' | 'ms' | 'rest')[]>>> = {
  ...{ set: ['value', 'low', 'high'], step: ['value', 'low', 'high'], pulse: ['value', 'ms', 'rest'] },
}
/** Click action of the item. */
export const ClickAction = ({ item, points, scene, project, change }: Props) => {
  const t = useWords()
  const action = item.acts?.[0]
  const put = (more: { [K in keyof Action]?: Action[K] | undefined }) => {
    if (!action) return
    const next: Record<string, unknown> = { ...action, ...more }
    for (const [name, value] of Object.entries(more)) if (value === undefined) delete next[name]
    change([next as unknown as Action])
  }
  const writes = action && writing.includes(action.do)
  const number = (name: 'value' | 'low' | 'high' | 'ms' | 'rest') => (
    <Form.Item key={name} label={t(`edit.act.${name}`)}>
      <InputNumber
        aria-label={t(`edit.act.${name}`)}
        value={action?.[name] ?? null}
        {...(name === 'ms' ? { min: 100, max: longestPulse } : {})}
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
          options={deeds.map((value) => ({ value, label: t(`edit.act.${value}`) }))}
          onChange={(value: Action['do'] | null) => change(value ? [{ do: value, ...begun[value] }] : undefined)}
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
      {action?.do === 'faceplate' && (
        <DeviceChoice value={action.device} points={points} scene={scene} change={(device) => put({ device })} />
      )}
      {(action?.do === 'open' || action?.do === 'faceplate') && (
        <PictureChoice
          label={t(action.do === 'open' ? 'edit.picture' : 'edit.faceplate')}
          value={action.picture}
          given={action.parameters}
          {...{ project, scene, points }}
          change={(picture, parameters) => put({ picture, parameters })}
        />
      )}
      {action?.do === 'faceplate' && <Texts label={t('edit.title')} most={100} value={action.title} change={(title) => put({ title })} />}
      {writes && (
        <>
          <Source
            label={t('edit.act.of')}
            value={action.of ?? '0'}
            points={points.filter(({ ReadWriteType }) => ReadWriteType !== 0)}
            change={(of) => put({ of })}
          />
          <div className="edit-numbers">{(numbers[action.do] ?? []).map(number)}</div>
          <Source label={t('edit.act.when')} value={action.when ?? '1'} points={points} change={(when) => put({ when })} />
          <Checkbox checked={action.reason === true} onChange={(event) => put({ reason: event.target.checked || undefined })}>
            {t('edit.act.reason')}
          </Checkbox>
        </>
      )}
    </>
  )
}

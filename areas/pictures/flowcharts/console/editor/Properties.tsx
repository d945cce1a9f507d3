import { Button, Form, Input, InputNumber, Select } from 'antd'
import { language, useWords } from '../../../../../console/words/words.ts'
import { type Scene, tokens } from '../../../../../contract/picture/scene.ts'
import type { PictureSymbol } from '../../../../../contract/picture/symbol.ts'
import { Bindings } from './Bindings.tsx'
import { ClickAction } from './ClickAction.tsx'
import { set } from './changes.ts'
import { type Points, Source } from './Source.tsx'
import type { Editor } from './useEditor.ts'

/** The devices that the picture's points are found at by name. */
const Devices = ({ editor: { scene, change }, points }: { editor: Editor; points: Points }) => {
  const t = useWords()
  const parameters = scene.parameters ?? []
  const devices = [...new Map(points.map((p) => [p.DeviceId, p.DeviceName]))].map(([value, label]) => ({ value, label }))
  const put = (name: string, value: number) =>
    change(
      'set',
      (now): Scene => ({ ...now, parameters: (now.parameters ?? []).map((one) => (one.name === name ? { ...one, value } : one)) }),
    )
  return parameters.flatMap(({ name, type, value }) =>
    type === 'device'
      ? [
          <Form.Item key={name} label={t('edit.device', { name })}>
            <Select
              aria-label={t('edit.device', { name })}
              showSearch={{ optionFilterProp: 'label' }}
              value={devices.some((one) => one.value === value) ? Number(value) : null}
              placeholder={t('edit.chooseDevice')}
              options={devices}
              onChange={(id: number | null) => id && put(name, id)}
            />
          </Form.Item>,
        ]
      : [],
  )
}

/** The sheet, while nothing is selected. */
const SheetProperties = ({ editor, points }: { editor: Editor; points: Points }) => {
  const t = useWords()
  const { scene, change } = editor
  const size = (name: 'width' | 'height') => (
    <Form.Item key={name} label={t(`edit.${name}`)}>
      <InputNumber
        aria-label={t(`edit.${name}`)}
        min={100}
        max={20_000}
        value={scene[name]}
        onChange={(value) => value && change('set', (now): Scene => ({ ...now, [name]: value }), true)}
      />
    </Form.Item>
  )
  return (
    <aside className="edit-properties" aria-label={t('edit.properties')}>
      <h2>{t('edit.sheet')}</h2>
      <Form layout="vertical" size="small">
        <div className="edit-numbers">
          {size('width')}
          {size('height')}
        </div>
        <Devices editor={editor} points={points} />
      </Form>
      <p className="soft">{t('edit.hint')}</p>
    </aside>
  )
}

type Props = { editor: Editor; symbols: ReadonlyMap<string, PictureSymbol>; points: Points }
const numbers = ['x', 'y', 'w', 'h', 'rotate'] as const

/** What is selected, to be changed; without a selection, the sheet. */
export const Properties = ({ editor, symbols, points }: Props) => {
  const t = useWords()
  const { scene, selected, change } = editor
  const items = scene.items.filter(({ id }) => selected.has(id))
  const [item] = items
  const put = (fields: Record<string, unknown>) => change('set', (now) => set(now, selected, fields), true)
  const colour = (name: 'fill' | 'stroke') => (
    <Form.Item key={name} label={t(`edit.${name}`)}>
      <Select
        aria-label={t(`edit.${name}`)}
        allowClear
        value={(item as { fill?: string; stroke?: string })[name] ?? null}
        placeholder={t('edit.usual')}
        options={['none', ...tokens].map((value) => ({ value, label: t(`edit.colour.${value}`) }))}
        onChange={(value: string | null) => put({ [name]: value ?? undefined })}
      />
    </Form.Item>
  )
  if (!item) return <SheetProperties editor={editor} points={points} />
  const one = items.length === 1
  return (
    <aside className="edit-properties" aria-label={t('edit.properties')}>
      <h2>
        {one
          ? item.kind === 'symbol'
            ? t(`symbol.${item.symbol}`)
            : t(`scene.kind.${item.kind}`)
          : t('edit.many', { count: items.length })}
      </h2>
      <Form layout="vertical" size="small">
        {one && item.kind === 'text' && (
          <Form.Item label={t('edit.text')}>
            <Input.TextArea
              autoSize
              aria-label={t('edit.text')}
              maxLength={500}
              value={typeof item.text === 'string' ? item.text : (item.text[language()] ?? '')}
              onChange={(event) => put({ text: { ...(typeof item.text === 'string' ? {} : item.text), [language()]: event.target.value } })}
            />
          </Form.Item>
        )}
        {one && item.kind === 'value' && (
          <Form.Item label={t('edit.label')}>
            <Input
              aria-label={t('edit.label')}
              maxLength={100}
              value={typeof item.label === 'string' ? item.label : (item.label?.[language()] ?? '')}
              onChange={(event) =>
                put({
                  label: event.target.value
                    ? { ...(typeof item.label === 'object' ? item.label : {}), [language()]: event.target.value }
                    : undefined,
                })
              }
            />
          </Form.Item>
        )}
        {one && 'of' in item && <Source label={t('edit.value')} value={item.of} points={points} change={(of) => put({ of })} />}
        {one && item.kind === 'symbol' && symbols.get(item.symbol)?.letters && (
          <Form.Item label={t('edit.letters')}>
            <Input
              aria-label={t('edit.letters')}
              maxLength={8}
              value={item.letters ?? ''}
              onChange={(event) => put({ letters: event.target.value || undefined })}
            />
          </Form.Item>
        )}
        {one && (
          <Bindings
            item={item}
            symbol={item.kind === 'symbol' ? symbols.get(item.symbol) : undefined}
            points={points}
            change={(bind) => put({ bind })}
          />
        )}
        {one && item.kind !== 'group' && <ClickAction item={item} points={points} change={(acts) => put({ acts })} />}
        {one && item.kind === 'pipe' && item.bends && (
          <Form.Item>
            <Button onClick={() => put({ bends: undefined })}>{t('edit.unbend')}</Button>
          </Form.Item>
        )}
        {item.kind !== 'pipe' && one && (
          <div className="edit-numbers">
            {numbers.map((name) => (
              <Form.Item key={name} label={t(`edit.${name}`)}>
                <InputNumber
                  aria-label={t(`edit.${name}`)}
                  value={item[name] ?? 0}
                  onChange={(value) => value !== null && put({ [name]: value })}
                />
              </Form.Item>
            ))}
            {'size' in item && (
              <Form.Item label={t('edit.size')}>
                <InputNumber
                  aria-label={t('edit.size')}
                  min={4}
                  max={400}
                  value={item.size ?? null}
                  onChange={(value) => value && put({ size: value })}
                />
              </Form.Item>
            )}
          </div>
        )}
        {item.kind !== 'group' && item.kind !== 'image' && (
          <div className="edit-numbers">
            {colour('fill')}
            {item.kind !== 'text' && item.kind !== 'value' && colour('stroke')}
          </div>
        )}
      </Form>
    </aside>
  )
}

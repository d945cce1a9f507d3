import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Form, Input, InputNumber, Select } from 'antd'
import { useEffect, useState } from 'react'
import { language, useWords } from '../../../../../console/words/words.ts'
import { parse } from '../../../../../contract/expression/parse.ts'
import { type Binding, type Driven, driven, type Item, type Scene, tokens } from '../../../../../contract/picture/scene.ts'
import { idOf } from '../../../../../contract/picture/sceneReferences.ts'
import type { PictureSymbol } from '../../../../../contract/picture/symbol.ts'
import type { ParaInfo } from '../../../../../contract/telemetry.ts'
import { set } from './changes.ts'
import type { Editor } from './useEditor.ts'

type Points = readonly ParaInfo[]
type SourceProps = { label: string; value: string; points: Points; change: (of: string) => void }
/** Where a value comes from: a point that is chosen, or an expression that is written. */
const Source = ({ label, value, points, change }: SourceProps) => {
  const t = useWords()
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const { flaw } = parse(text)
  // What cannot be read yet is not drawn yet.
  const write = (next: string) => {
    setText(next)
    if (!parse(next).flaw) change(next)
  }
  const chosen = points.find(({ ParaId }) => ParaId === idOf(value))
  return (
    <Form.Item
      label={label}
      {...(flaw ? { validateStatus: 'error', help: t(`expression.${flaw.key}`, { at: flaw.at + 1, text: flaw.text }) } : {})}
    >
      <Select
        aria-label={`${label}: ${t('edit.point')}`}
        showSearch={{ optionFilterProp: 'label' }}
        placeholder={t('edit.point')}
        value={chosen?.ParaId ?? null}
        options={points.map((p) => ({ value: p.ParaId, label: `${p.DeviceName} · ${p.ParaName}` }))}
        onChange={(id) => change(`#${id}`)}
      />
      <Input
        aria-label={`${label}: ${t('edit.expression')}`}
        maxLength={1000}
        value={text}
        onChange={(event) => write(event.target.value)}
      />
    </Form.Item>
  )
}

const drivesOf = (item: Item, symbol: PictureSymbol | undefined): readonly Driven[] => {
  const common: readonly Driven[] = ['visible', 'opacity', 'rotate', 'fill', 'stroke']
  if (item.kind === 'symbol') return [...(symbol?.drives ?? []), ...common]
  if (item.kind === 'pipe') return ['flow', 'visible', 'fill', 'stroke']
  if (item.kind === 'text') return ['text', ...common]
  return driven.filter((to) => common.includes(to))
}

type BindingsProps = { item: Item; symbol: PictureSymbol | undefined; points: Points; change: (bind: Binding[] | undefined) => void }
/** What of the item follows values. */
const Bindings = ({ item, symbol, points, change }: BindingsProps) => {
  const t = useWords()
  const bind = item.bind ?? []
  const replace = (at: number, next: Binding) => change(bind.map((one, i) => (i === at ? next : one)))
  const free = drivesOf(item, symbol).filter((to) => !bind.some((one) => one.to === to))
  const scaled = (one: Binding) => one.to === 'level' && points.find(({ ParaId }) => ParaId === idOf(one.of))
  return (
    <>
      {bind.map((one, i) => {
        const point = scaled(one)
        return (
          <div key={one.to} className="edit-binding">
            <Source label={t(`edit.drive.${one.to}`)} value={one.of} points={points} change={(of) => replace(i, { ...one, of })} />
            {point && !one.from && point.AxisMax !== null && (
              <Button size="small" onClick={() => replace(i, { ...one, from: [point.AxisMin ?? 0, point.AxisMax!], onto: [0, 1] })}>
                {t('edit.scale', { low: point.AxisMin ?? 0, high: point.AxisMax })}
              </Button>
            )}
            {one.from && <span className="soft">{t('edit.scaled', { low: one.from[0], high: one.from[1] })}</span>}
            <Button
              type="text"
              size="small"
              icon={<DeleteOutlined />}
              aria-label={t('edit.unbind', { what: t(`edit.drive.${one.to}`) })}
              onClick={() => change(bind.length > 1 ? bind.filter((_, at) => at !== i) : undefined)}
            />
          </div>
        )
      })}
      {free.length > 0 && (
        <Select
          aria-label={t('edit.bind')}
          value={null}
          placeholder={
            <>
              <PlusOutlined /> {t('edit.bind')}
            </>
          }
          options={free.map((to) => ({ value: to, label: t(`edit.drive.${to}`) }))}
          onChange={(to: Driven | null) => to && change([...bind, { to, of: '0' }])}
        />
      )}
    </>
  )
}

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

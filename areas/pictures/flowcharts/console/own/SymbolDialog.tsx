import './own.css'
import { UploadOutlined } from '@ant-design/icons'
import { App, Button, Checkbox, Form, Input, Modal, Segmented, Upload } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useSave } from '../../../../../console/kernel/api.ts'
import { Failure } from '../../../../../console/kernel/Empty.tsx'
import { useWords } from '../../../../../console/words/words.ts'
import type { Drawing, OwnSymbol } from '../../../../../contract/picture/drawing.ts'
import type { Look } from '../../../../../contract/picture/look.ts'
import { ownId, withOwn } from '../../../../../contract/picture/ownSymbol.ts'
import { type Dropped, readSvgFile } from '../../../symbols/console/index.ts'
import { pictureSymbol } from '../../../symbols/contract.ts'
import { Thumbnail } from '../editor/Thumbnail.tsx'
import { Parts } from './Parts.tsx'
import { Ports } from './Ports.tsx'

const looks = {
  plain: {},
  on: { driven: { running: 1, open: 1, level: 0.6 } },
  off: { driven: { running: 0, open: 0, level: 0.1 } },
  unknown: { driven: { running: null, open: null, level: null } },
} satisfies Record<string, Look>

type Dropping = { what: Dropped; count: number }
/** Reads an SVG file and lists omitted parts. */
const Source = ({ take }: { take: (drawing: Drawing, name: string) => void }) => {
  const t = useWords()
  const [refused, setRefused] = useState<string>()
  const [dropped, setDropped] = useState<readonly Dropping[]>([])
  const [isReading, setReading] = useState(false)
  const read = async (file: File) => {
    setReading(true)
    try {
      const found = await readSvgFile(file)
      setRefused('refused' in found ? found.refused : undefined)
      setDropped('refused' in found ? [] : found.dropped)
      if (!('refused' in found)) take(found.drawing, file.name.replace(/\.svg$/i, '').slice(0, 50))
    } catch {
      setRefused('tooSlow')
    } finally {
      setReading(false)
    }
  }
  return (
    <div className="own-source">
      <Upload
        accept=".svg,image/svg+xml"
        showUploadList={false}
        beforeUpload={(file) => {
          void read(file)
          return Upload.LIST_IGNORE
        }}
      >
        <Button icon={<UploadOutlined />} loading={isReading}>
          {t('own.choose')}
        </Button>
      </Upload>
      <p className="soft">{t('own.hint')}</p>
      {refused && (
        <p role="alert" className="edit-error">
          {t('svg.refused')} {t(`svg.refused.${refused}`)}
        </p>
      )}
      {dropped.length > 0 && (
        <div role="status">
          <strong>{t('own.left')}</strong>
          <ul className="own-dropped">
            {dropped.map(({ what, count }) => (
              <li key={what}>{t('own.leftOne', { what: t(`svg.dropped.${what}`), count })}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

const withoutColours = (drawing: Drawing): Drawing => ({ ...drawing, parts: drawing.parts.map(({ fill: _, stroke: __, ...part }) => part) })
/** Letters in the centre, sized for three of them. */
const middle = ({ width, height }: Drawing): NonNullable<Drawing['letters']> => [
  width / 2,
  height / 2,
  Math.max(1, Math.min(width, height) / 3),
]

const Preview = ({ drawing, chosen, choose }: { drawing: Drawing; chosen: number | undefined; choose: (part: number) => void }) => {
  const t = useWords()
  const [look, setLook] = useState<keyof typeof looks>('plain')
  const symbol = useMemo(() => withOwn(new Map(), [{ id: 'own.1', name: 'x', drawing }]).get('own.1')!, [drawing])
  const { width, height, parts, ports } = drawing
  const dot = Math.max(width, height) / 40
  const over = useRef<SVGSVGElement>(null)
  useEffect(() => {
    const svg = over.current
    const onClick = ({ target }: Event) => {
      const part = (target as Element).getAttribute('data-part')
      if (part !== null) choose(Number(part))
    }
    svg?.addEventListener('click', onClick)
    return () => svg?.removeEventListener('click', onClick)
  }, [choose])
  return (
    <div className="own-preview">
      <div className="own-sheet">
        <Thumbnail symbol={symbol} look={looks[look]} name="own-drawing" />
        {/* The same parts again as pointer targets; the list beside it does the same by keyboard. */}
        <svg ref={over} className="own-drawing own-over" viewBox={`-2 -2 ${width + 4} ${height + 4}`} aria-hidden>
          {parts.map(({ d }, i) => (
            <path key={`${i} ${d.slice(0, 40)}`} d={d} data-part={i} className={i === chosen ? 'own-chosen' : ''} />
          ))}
          {ports.map(({ id, x, y }) => (
            <circle key={id} cx={x} cy={y} r={dot} />
          ))}
        </svg>
      </div>
      <Segmented
        size="small"
        aria-label={t('own.look')}
        value={look}
        options={(Object.keys(looks) as (keyof typeof looks)[]).map((value) => ({ value, label: t(`own.look.${value}`) }))}
        onChange={setLook}
      />
    </div>
  )
}

type Props = { symbol?: OwnSymbol | undefined; company: number; close: () => void }
/** Creates a symbol from an SVG file, or edits one: its name, parts and ports. */
const SymbolDialog = ({ symbol, company, close }: Props) => {
  const t = useWords()
  const { message } = App.useApp()
  const [name, setName] = useState(symbol?.name ?? '')
  const [read, setRead] = useState(symbol?.drawing)
  const [drawing, setDrawing] = useState(symbol?.drawing)
  const [chosen, setChosen] = useState<number>()
  const saving = useSave(pictureSymbol)
  const take = (next: Drawing, fileName: string) => {
    setRead(next)
    setDrawing(next)
    setChosen(undefined)
    if (!name) setName(fileName)
  }
  const isColoured = drawing?.parts.some(({ fill, stroke }) => fill || stroke) ?? false
  const recolour = (on: boolean) =>
    setDrawing((now) => now && (on ? { ...now, parts: now.parts.map((part, i) => ({ ...read?.parts[i], ...part })) } : withoutColours(now)))
  const hasColours = read?.parts.length === drawing?.parts.length && (read?.parts.some(({ fill, stroke }) => fill || stroke) ?? false)
  const save = () => {
    const Id = symbol && ownId(symbol.id)
    const values = { SymbolName: name.trim(), Drawing: drawing, ...(Id ? { Id } : { EnterpriseId: company }) }
    saving.mutate(values as never, {
      onSuccess: () => {
        message.success(t('own.saved', { name: name.trim() }))
        close()
      },
    })
  }
  return (
    <Modal
      open
      width={900}
      title={t(symbol ? 'own.edit' : 'own.new')}
      okText={t('save')}
      cancelText={t('cancel')}
      okButtonProps={{ disabled: !drawing || !name.trim() }}
      confirmLoading={saving.isPending}
      onOk={save}
      onCancel={close}
    >
      <Source take={take} />
      {saving.error && <Failure fault={saving.error} />}
      {drawing && (
        <Form layout="vertical" size="small" className="own-form">
          <div>
            <Form.Item label={t('pictureSymbol.SymbolName')}>
              <Input
                aria-label={t('pictureSymbol.SymbolName')}
                maxLength={50}
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            </Form.Item>
            <Preview drawing={drawing} chosen={chosen} choose={setChosen} />
            {hasColours && (
              <Checkbox checked={isColoured} onChange={(event) => recolour(event.target.checked)}>
                {t('own.colours')}
              </Checkbox>
            )}
            <Checkbox
              checked={!!drawing.letters}
              onChange={({ target }) => {
                const { letters: _, ...rest } = drawing
                setDrawing(target.checked ? { ...rest, letters: middle(rest) } : rest)
              }}
            >
              {t('own.letters')}
            </Checkbox>
          </div>
          <div className="own-lists">
            <Parts drawing={drawing} change={setDrawing} chosen={chosen} choose={setChosen} />
            <Ports drawing={drawing} change={setDrawing} />
          </div>
        </Form>
      )}
    </Modal>
  )
}
export default SymbolDialog

import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Input, InputNumber, Select } from 'antd'
import { useWords } from '../../../../../console/words/words.ts'
import type { Drawing } from '../../../../../contract/picture/drawing.ts'
import { mostPorts, sides } from '../../../../../contract/picture/drawingLimits.ts'

type Port = Drawing['ports'][number]
const rounded = (n: number) => Math.round(n * 100) / 100
/** The centre of a side. */
const middleOf = (side: Port['side'], { width, height }: Drawing) => ({
  x: rounded(side === 'left' ? 0 : side === 'right' ? width : width / 2),
  y: rounded(side === 'top' ? 0 : side === 'bottom' ? height : height / 2),
})

/** Ports for pipes: a name, the side that the pipe leaves by, and the position. */
export const Ports = ({ drawing, change }: { drawing: Drawing; change: (next: Drawing) => void }) => {
  const t = useWords()
  const { ports, width, height } = drawing
  const put = (at: number, more: Partial<Port>) =>
    change({ ...drawing, ports: ports.map((port, i) => (i === at ? { ...port, ...more } : port)) })
  const add = () => {
    let n = ports.length + 1
    while (ports.some(({ id }) => id === `p${n}`)) n++
    change({ ...drawing, ports: [...ports, { id: `p${n}`, side: 'left', ...middleOf('left', drawing) }] })
  }
  const options = sides.map((value) => ({ value, label: t(`own.side.${value}`) }))
  const place = (i: number, axis: 'x' | 'y', most: number) => (
    <InputNumber
      aria-label={t('own.portAt', { axis: t(`edit.${axis}`), name: ports[i]!.id })}
      min={0}
      max={most}
      value={ports[i]![axis]}
      onChange={(value) => value !== null && put(i, { [axis]: value })}
    />
  )
  return (
    <section aria-label={t('own.ports')}>
      <h3>{t('own.ports')}</h3>
      <ul className="own-list">
        {ports.map((port, i) => (
          <li key={`${i}`} className="own-row">
            <Input
              aria-label={t('own.portName')}
              maxLength={20}
              value={port.id}
              onChange={({ target }) => {
                const id = target.value.toLowerCase().replace(/[^a-z0-9-]/g, '')
                if (id && !ports.some((one) => one.id === id)) put(i, { id })
              }}
            />
            <Select
              aria-label={t('own.portSide', { name: port.id })}
              value={port.side}
              options={options}
              popupMatchSelectWidth={false}
              onChange={(side) => put(i, { side, ...middleOf(side, drawing) })}
            />
            {place(i, 'x', width)}
            {place(i, 'y', height)}
            <Button
              type="text"
              icon={<DeleteOutlined />}
              aria-label={t('own.removePort', { name: port.id })}
              onClick={() => change({ ...drawing, ports: ports.filter((_, at) => at !== i) })}
            />
          </li>
        ))}
      </ul>
      <Button icon={<PlusOutlined />} disabled={ports.length >= mostPorts} onClick={add}>
        {t('own.addPort')}
      </Button>
    </section>
  )
}

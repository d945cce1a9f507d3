import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Form, Select } from 'antd'
import { useWords } from '../../../../../console/words/words.ts'
import type { Item, Scene } from '../../../../../contract/picture/scene.ts'
import { itemName } from './itemName.ts'
import { PictureChoice } from './PictureChoice.tsx'
import { type Points, Source } from './Source.tsx'
import { Texts } from './Texts.tsx'

type Put = (fields: Record<string, unknown>) => void
type Props = { item: Item; put: Put; points: Points; scene: Scene; project: number }

/** Values of a trend's lines or a table's rows. */
const Reads = ({ reads, most, put, points }: { reads: readonly string[]; most: number; put: Put; points: Points }) => {
  const t = useWords()
  const change = (at: number, of: string) => put({ reads: reads.map((one, i) => (i === at ? of : one)) })
  return (
    <>
      {reads.map((of, i) => (
        // Lines have no key; their order identifies them.
        <div key={`${i} ${reads.length}`} className="edit-binding">
          <Source label={t('edit.read', { n: i + 1 })} value={of} points={points} change={(next) => change(i, next)} />
          {reads.length > 1 && (
            <Button
              type="text"
              size="small"
              icon={<DeleteOutlined />}
              aria-label={t('edit.unread', { n: i + 1 })}
              onClick={() => put({ reads: reads.filter((_, at) => at !== i) })}
            />
          )}
        </div>
      ))}
      {reads.length < most && (
        <Form.Item>
          <Button icon={<PlusOutlined />} onClick={() => put({ reads: [...reads, points[0] ? `#${points[0].ParaId}` : '0'] })}>
            {t('edit.addRead')}
          </Button>
        </Form.Item>
      )}
    </>
  )
}

/** A device of the project, or a parameter for devices. */
export const DeviceChoice = ({
  value,
  points,
  scene,
  change,
}: {
  value: string | number | undefined
  points: Points
  scene: Scene
  change: (device: string | number | undefined) => void
}) => {
  const t = useWords()
  const devices = [...new Map(points.map((p) => [p.DeviceId, p.DeviceName]))].map(([id, label]) => ({ value: String(id), label }))
  const parameters = (scene.parameters ?? [])
    .filter(({ type }) => type === 'device')
    .map(({ name }) => ({ value: `{${name}}`, label: `{${name}}` }))
  return (
    <Form.Item label={t('device')}>
      <Select
        aria-label={t('device')}
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
        value={value === undefined ? null : String(value)}
        placeholder={t('edit.chooseDevice')}
        options={[...parameters, ...devices]}
        onChange={(next: string | null) => change(next ? (next.startsWith('{') ? next : Number(next)) : undefined)}
      />
    </Form.Item>
  )
}

/** Fields specific to some kinds of items. */
export const PartFields = ({ item, put, points, scene, project }: Props) => {
  const t = useWords()
  const tracks = scene.items.filter(
    (one) => one.id !== item.id && (one.kind === 'pipe' || (one.kind === 'shape' && one.shape !== 'ellipse')),
  )
  return (
    <>
      {item.kind === 'input' && <Texts label={t('edit.title')} most={100} value={item.title} change={(title) => put({ title })} />}
      {item.kind === 'indicator' && item.look === 'deviation' && (
        <Source label={t('edit.target')} value={item.target ?? '0'} points={points} change={(target) => put({ target })} />
      )}
      {'reads' in item && <Reads reads={item.reads} most={item.kind === 'trend' ? 8 : 40} put={put} points={points} />}
      {item.kind === 'alarms' && <DeviceChoice value={item.device} points={points} scene={scene} change={(device) => put({ device })} />}
      {item.kind === 'view' && (
        <PictureChoice
          label={t('edit.picture')}
          project={project}
          value={item.picture}
          given={item.parameters}
          scene={scene}
          points={points}
          change={(picture, parameters) => picture && put({ picture, parameters })}
        />
      )}
      {item.bind?.some(({ to }) => to === 'along') && (
        <Form.Item label={t('edit.track')}>
          <Select
            aria-label={t('edit.track')}
            allowClear
            value={item.track ?? null}
            placeholder={t('edit.track.choose')}
            options={tracks.map((one) => ({ value: one.id, label: itemName(one, t) }))}
            onChange={(track: string | null) => put({ track: track ?? undefined })}
          />
        </Form.Item>
      )}
    </>
  )
}

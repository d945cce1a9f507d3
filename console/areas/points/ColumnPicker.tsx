import { TableOutlined } from '@ant-design/icons'
import { Button, Checkbox, Popover } from 'antd'
import { pointColumns } from '../../../contract/areas/points.ts'
import { useWords } from '../../words/words.ts'
import { columnGroups, usualColumns } from './columns.ts'

type Props = { visible: readonly string[]; choose: (columns: string[]) => void }

/** Which of the 27 columns are shown; the name always is. */
export const ColumnPicker = ({ visible, choose }: Props) => {
  const t = useWords()
  const toggle = (name: string, on: boolean) => choose(pointColumns.filter((c) => (c === name ? on : visible.includes(c))))
  const content = (
    <div className="column-picker">
      <div className="column-picker-all">
        <Button type="link" size="small" onClick={() => choose(pointColumns)}>
          {t('columns.all')}
        </Button>
        <Button type="link" size="small" onClick={() => choose([...usualColumns])}>
          {t('columns.usual')}
        </Button>
      </div>
      {columnGroups().map(([section, names]) => (
        <fieldset key={section}>
          <legend>{t(`section.${section}`)}</legend>
          {names.map((name) => (
            <Checkbox
              key={name}
              checked={visible.includes(name)}
              disabled={name === 'ParaName'}
              onChange={(e) => toggle(name, e.target.checked)}
            >
              {t(`point.${name}`)}
            </Checkbox>
          ))}
        </fieldset>
      ))}
    </div>
  )
  return (
    <Popover trigger="click" placement="bottomRight" content={content}>
      <Button icon={<TableOutlined />}>{t('columns.title', { shown: visible.length, all: pointColumns.length })}</Button>
    </Popover>
  )
}

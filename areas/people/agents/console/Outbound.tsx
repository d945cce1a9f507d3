import { ExportOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { SerialList } from './SerialList.tsx'
import { ShipDialog } from './ShipDialog.tsx'

const Outbound = () => {
  const t = useWords()
  const mayShip = useMay('m12004.add')
  const [shipping, setShipping] = useState(false)
  return (
    <Page title={t('menu.m12004')}>
      <SerialList
        extra={
          mayShip && (
            <Button type="primary" icon={<ExportOutlined />} onClick={() => setShipping(true)}>
              {t('agent.ship')}
            </Button>
          )
        }
      />
      {shipping && <ShipDialog close={() => setShipping(false)} />}
    </Page>
  )
}
export default Outbound

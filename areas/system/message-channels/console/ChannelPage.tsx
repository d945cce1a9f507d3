import { useSearchParams } from 'react-router'
import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { gateway } from '../../../configuration/gateways/contract.ts'
import ChannelLists from './ChannelLists.tsx'

/** Channels of one gateway, chosen on top. */
const ChannelPage = () => {
  const t = useWords()
  const [params, setParams] = useSearchParams()
  const id = Number(params.get('GatewayId')) || null
  return (
    <Page title={t('menu.m10106')}>
      <div className="search-bar">
        <RefInput
          to={gateway}
          value={id}
          onChange={(next) => setParams(next ? { GatewayId: String(next) } : {}, { replace: true })}
          placeholder={t('choose.gateway')}
          aria-label={t('choose.gateway')}
          style={{ width: 280 }}
        />
      </div>
      {id ? <ChannelLists key={id} row={{ Id: id }} /> : <EmptyList text={t('choose.gateway')} />}
    </Page>
  )
}
export default ChannelPage

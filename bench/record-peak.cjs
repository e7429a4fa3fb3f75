// `node --require ./bench/record-peak.cjs PROGRAM`: writes the peak of its resident memory, in KiB, to $REIN_PEAK.
const { writeFileSync } = require('node:fs');
process.on('exit', () => writeFileSync(process.env.REIN_PEAK, String(process.resourceUsage().maxRSS)));

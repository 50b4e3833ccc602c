// Starts a service like a test and prints its log; the test kills this process.
import { startProcess } from '@daylift/testing/service-process';

const service = await startProcess('service', {}, process.argv[2]);
console.log(service.log().join('\n'));

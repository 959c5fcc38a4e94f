mkdir -p /opt/ti/a/b /opt/ti/empty /opt/pr /opt/re2; for i in 1 2 3 4 5; do echo $i >/opt/ti/f$i.log; touch -d "-$((i*3)) days" /opt/ti/f$i.log; done
head -c 5000 /dev/zero >/opt/ti/a/big.bin; touch -d '-40 days' /opt/ti/a/big.bin /opt/ti/a/b; ln -s f1.log /opt/ti/link
for i in 01 02 03 04 05 06 07 08 09 10 11 12; do touch -d 2023-$i-01 /opt/pr/b-2023${i}01T120000.tgz; touch -d 2024-$i-15 /opt/pr/b-2024${i}15T120000.tgz; mkdir /opt/re2/d-2023${i}; touch -d 2023-$i-02 /opt/re2/d-2023${i}; done
touch /opt/pr/other
